/**
 * `askForPieces`, `pieceIn`: the pieces of a message of Codex. `codex exec --json` prints an item when it is whole; its log, on stderr,
 * shows each event of the stream. The log is asked for by a variable, which its tools must not see: their programs may be written in Rust.
 */
import { join } from 'node:path';
import { jsonText, objectOrNull } from '../../core/text/json.ts';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import type { LaunchContext, LaunchPlan } from '../adapter.ts';
import { codexHome } from './session-store.ts';

const LOG = 'RUST_LOG';
const STREAM = 'codex_api::sse::responses';
const POLICY = 'shell_environment_policy';
const SYSTEM_CONFIG = '/etc/codex/config.toml';
const MAX_CONFIG_BYTES = 1024 * 1024;

/** Nothing, where the person has a log or a policy for the variables of tools: an option would replace the policy. */
export function askForPieces({ env, workspace }: LaunchContext): Pick<LaunchPlan, 'argv' | 'env'> {
  const configs = [
    join(codexHome(env), 'config.toml'),
    join(workspace, '.codex/config.toml'),
    SYSTEM_CONFIG,
  ].map((path) => readPlainFile(path, MAX_CONFIG_BYTES));
  const isFree = configs.every(
    (read) => read.type === 'absent' || (read.type === 'text' && !read.text.includes(POLICY)),
  );
  if (!isFree || env[LOG] !== undefined) return { argv: [], env: {} };
  return { argv: ['-c', `${POLICY}.exclude=["${LOG}"]`], env: { [LOG]: `error,${STREAM}=trace` } };
}

/** `words`: said or thought, as part of the item `of`; null for the input of a call. Any other event of the stream ends what was open. */
type Piece = { readonly words: string | null; readonly of: string } | 'end';

const EVENT = 'SSE event: ';
const WORDS = new Set(
  ['output_text', 'reasoning_text', 'reasoning_summary_text'].map((name) => `response.${name}.delta`),
);

/** Null for a line that is not of this log. */
export function pieceIn(line: string): Piece | null {
  const from = line.indexOf(` TRACE ${STREAM}: `);
  // A time stands before it.
  if (from === -1 || from > 40) return null;
  const event = objectOrNull(line.slice(line.indexOf(EVENT, from) + EVENT.length)) ?? {};
  const type = jsonText(event['type']);
  const of = jsonText(event['item_id']);
  if (WORDS.has(type)) return { words: jsonText(event['delta']), of };
  return type === '' || type.endsWith('.delta') ? { words: null, of } : 'end';
}
