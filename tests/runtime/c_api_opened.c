/* A client that opens the library by its path, as frameworks do: its symbols are there, others are
 * not, and it stays when it is closed.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    void* library = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    void* symbol;
    int64_t (*level)(void);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    symbol = dlsym(library, "ANeuralNetworks_getRuntimeFeatureLevel");
    memcpy(&level, &symbol, sizeof level);
    if (symbol == NULL || level() != 1000008) return 1;
    if (dlsym(library, "_ZN2nn7runtime7runtimeEv") != NULL) return 1;
    if (dlclose(library) != 0) return 1;
    return level() == 1000008 ? 0 : 1;
}
