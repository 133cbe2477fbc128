# Compresses the manual pages in packages, as Debian's policy requires.
file(GLOB_RECURSE manuals ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1)
list(FILTER manuals INCLUDE REGEX "/man1/")
foreach(manual IN LISTS manuals)
  execute_process(COMMAND gzip -9n ${manual} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
