// Loads packages that are installed outside of the source tree, in the folder WEIR_REFERENCES.

import { createRequire } from 'node:module';
import path from 'node:path';

export const folder = process.env.WEIR_REFERENCES;
export const require = createRequire(path.join(folder, 'package.json'));
