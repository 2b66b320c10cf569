# SPDX-License-Identifier: Apache-2.0
# cmake -D SCENES=FOLDER -D OUTPUT=FILE.cpp -P embed.cmake
# Writes the built-in scenes (FOLDER/*.toml) and the files they name (FOLDER/meshes/*) as C++.
cmake_minimum_required(VERSION 3.25)
file(GLOB scenes RELATIVE ${SCENES} ${SCENES}/*.toml)
file(GLOB meshes RELATIVE ${SCENES} ${SCENES}/meshes/*)

# one variable with the bytes of a file, as escapes: these hold in any text and compile quickly
function(embed variable path)
    file(READ ${SCENES}/${path} bytes HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
    file(APPEND ${OUTPUT}.part "constexpr char ${variable}[] = \"${bytes}\";\n")
endfunction()

file(WRITE ${OUTPUT}.part "// made by carom/scene/embed.cmake\n"
    "#include <iterator>\n\n#include \"carom/scene/built_in.h\"\n\n"
    "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\n"
    "namespace carom::scene {\nnamespace {\n\n")
# in the order of names, which is not that of "a.toml" and "a-b.toml"
list(TRANSFORM scenes REPLACE "\\.toml$" "")
set(scenes_end .toml)
set(meshes_end "")
foreach(kind scenes meshes)
    set(number 0)
    set(${kind}_table "")
    list(SORT ${kind})
    foreach(name IN LISTS ${kind})
        embed(k_${kind}_${number} ${name}${${kind}_end})
        string(APPEND ${kind}_table
            "    {\"${name}\", {k_${kind}_${number}, sizeof k_${kind}_${number} - 1}},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    # the last line keeps the array from being empty
    string(APPEND ${kind}_table "    {},\n")
endforeach()
file(APPEND ${OUTPUT}.part "\nconstexpr BuiltIn k_scenes[] = {\n${scenes_table}};\n"
    "constexpr BuiltIn k_files[] = {\n${meshes_table}};\n\n}  // namespace\n\n"
    "std::span<const BuiltIn> built_in_scenes() {\n"
    "    return {k_scenes, std::size(k_scenes) - 1};\n}\n\n"
    "std::span<const BuiltIn> built_in_files() {\n"
    "    return {k_files, std::size(k_files) - 1};\n}\n\n}  // namespace carom::scene\n")
file(RENAME ${OUTPUT}.part ${OUTPUT})
