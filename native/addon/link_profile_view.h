// Link profiles for JavaScript: LinkProfile of the contract.
#pragma once

#include <napi.h>

#include <string>
#include <vector>

namespace singulate::addon {

// One object for each name, in their order, numbered from 1.
Napi::Array show_link_profiles(Napi::Env env, const std::vector<std::string>& names);

}  // namespace singulate::addon
