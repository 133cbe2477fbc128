/* A plug-in of qemu-user (TCG plug-ins, version 1) that prints how many instructions a program
 * executed: scripts/count_instructions. The interface is declared here, since Debian has no header
 * for it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t Id;
struct qemu_plugin_tb;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
void qemu_plugin_register_vcpu_tb_trans_cb(Id id, void (*translated)(Id, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* block, int addition,
                                              void* counter, uint64_t added);
void qemu_plugin_register_atexit_cb(Id id, void (*ends)(Id, void*), void* data);
void qemu_plugin_outs(const char* text);

int qemu_plugin_version = 1;

static uint64_t counter; /* of all threads, which may lose some of each other's */

static void count(Id id, struct qemu_plugin_tb* block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &counter, qemu_plugin_tb_n_insns(block));
}

static void print(Id id, void* data) {
    char text[64];
    (void)id, (void)data;
    snprintf(text, sizeof text, "%llu instructions\n", (unsigned long long)counter);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(Id id, const void* info, int argc, char** argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, count);
    qemu_plugin_register_atexit_cb(id, print, NULL);
    return 0;
}
