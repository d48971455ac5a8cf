#include <stdio.h>

#include <weir.h>

int main(void) {
    printf("%s\n", weir_version());
    return weir_abi_version() == WEIR_ABI_VERSION ? 0 : 1;
}
