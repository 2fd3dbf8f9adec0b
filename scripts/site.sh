#!/usr/bin/env bash
# Builds the documentation as a website into site/dist. SITE_BASE is its path on the server, "/" by default.
set -euo pipefail
cd "$(dirname "$0")/../site"
npm install --no-save
rm -rf pages dist
mkdir -p pages/public
cp ../*.md pages/
cp -r ../docs pages/
cp -r ../examples ../scenarios ../seeds pages/public/
npx vitepress build
# Each page as Markdown beside its HTML, the list of all, and all in one text.
cp -r pages/*.md pages/docs dist/
cp ../docs/llms.txt dist/llms.txt && sed -i 's#](#](docs/#' dist/llms.txt
grep -o '](\S*\.md)' ../docs/llms.txt | tr -d '()]' | (cd ../docs && xargs cat) >dist/llms-full.txt
printf 'The site is in site/dist. To look at it: npx --prefix site vitepress preview site\n'
