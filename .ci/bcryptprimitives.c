// Stands in for the bcryptprimitives.dll that wine lacks before version 8.20: the one
// function of it that Rust's standard library calls.
#include <windows.h>

// Its documented name is RtlGenRandom, of advapi32.
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    while (length > 0) {
        ULONG part = length > 0x10000000 ? 0x10000000 : (ULONG)length;
        if (!SystemFunction036(buffer, part)) {
            return FALSE;
        }
        buffer += part;
        length -= part;
    }
    return TRUE;
}
