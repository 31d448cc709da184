/** `MAYDAY` and `KEEPER`: the programs that tests start. */
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** Set by `bundle-mayday.ts`; without it the sources are started, which takes twice the processor time. */
const bundled = process.env['MAYDAY_UNDER_TEST'];

export const MAYDAY = bundled ?? join(ROOT, 'bin/mayday.js');
export const KEEPER =
  bundled === undefined
    ? join(ROOT, 'src/supervise/keeper-process.ts')
    : join(dirname(bundled), '../dist/programs/keeper-process.mjs');
