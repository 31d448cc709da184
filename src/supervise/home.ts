/** `maydayHome`: returns the folder in which Mayday keeps its state. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';

export function maydayHome(env: NodeJS.ProcessEnv): string {
  return resolve(env['MAYDAY_HOME'] || `${homedir()}/.mayday`);
}
