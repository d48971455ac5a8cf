// Packages that are installed outside of the source tree: WEIR_REFERENCES names the folder.

import { createRequire } from 'node:module';
import path from 'node:path';

export const folder = process.env.WEIR_REFERENCES;
export const require = createRequire(path.join(folder, 'package.json'));
