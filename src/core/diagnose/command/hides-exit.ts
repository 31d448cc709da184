/** `hidesExit`: whether the last part of a command hides the exit code of what failed before it. */
import { baseName } from './command-part.ts';

const FILTERS = new Set([
  'tail',
  'head',
  'tee',
  'cat',
  'grep',
  'sed',
  'awk',
  'less',
  'more',
  'sort',
  'uniq',
  'cut',
  'tr',
  'wc',
  'ts',
  'nl',
  'col',
  'rg',
  'egrep',
]);

export function hidesExit(text: string): boolean {
  if (/pipefail/.test(text)) return false;
  if (/\|\|/.test(text)) return true;
  if (/;\s*(?:true|:|echo\b[^;]*|exit 0)\s*$/.test(text)) return true;
  const statements = text
    .split(/&&|;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'wait');
  const last = statements.at(-1) ?? '';
  const pipe = last.split('|').map((part) => part.trim());
  if (pipe.length > 1 && FILTERS.has(baseName((pipe.at(-1) ?? '').split(/\s/)[0] ?? ''))) return true;
  return (
    /;/.test(text) &&
    !/exit _?\$/.test(last) &&
    statements.length > 1 &&
    /;[^;&|]*$/.test(text) &&
    !/ulimit|export|^set\b|cd /.test(statements[statements.length - 2] ?? '')
  );
}
