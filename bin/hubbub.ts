#!/usr/bin/env node
// For those who type `node bin/hubbub.ts`. An old Node reads this file too: bin/package.json says "commonjs", and its
// loader takes unknown endings for JavaScript.
void require("./hubbub.js");
