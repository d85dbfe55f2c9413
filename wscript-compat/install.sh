#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# install.sh NS3_DIR: makes this checkout the module contrib/photonic-rails of an ns-3.35 tree.
#
# waf takes every folder with a file called "wscript" for a module of its own, so the checkout holds
# none. What is put in the tree is a folder of links to the checkout, with the wscript files added.
set -euo pipefail

[[ $# == 1 ]] || { echo "usage: install.sh NS3_DIR" >&2; exit 2; }
[[ -f $1/waf ]] || { echo "install.sh: $1: no ns-3.35 tree (there is no waf in it)" >&2; exit 1; }

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
module=$1/contrib/photonic-rails
if [[ -e $module && ! -f $module/installed-from-checkout ]]; then
    echo "install.sh: $module was not put there by this script; move it away, then try again" >&2
    exit 1
fi

rm -rf "$module"
mkdir -p "$module/examples"
echo "$checkout" >"$module/installed-from-checkout"
ln -s "$checkout"/{model,helper,test} "$module"
shopt -s nullglob
ln -s "$checkout"/{examples,tools}/*.{cc,h} "$module/examples"
cp "$checkout/wscript-compat/wscript.module" "$module/wscript"
cp "$checkout/wscript-compat/wscript.examples" "$module/examples/wscript"
