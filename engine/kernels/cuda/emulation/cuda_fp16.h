// What NVRTC finds under this name; here it is part of the whole.
#pragma once
#include "cuda_emu.h"
