/**
 * `checkBelongs`: what stands in the diff of an answer to `belongs`: paths that changed, and quotations from the lines that the hunk of
 * such a file adds or removes. What else is claimed is dropped; where nothing is left, the answer is refused.
 */
import { isJsonObject } from '../text/json.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { CheckedAnswer, CheckedClaim } from '../vocabulary/opinion.ts';
import { isChange, type ShownHunk } from './diff-hunks.ts';
import {
  choice,
  formed,
  manyOf,
  orNull,
  readForm,
  sentence,
  share,
  truth,
  verbatim,
  wholeNumber,
} from './reply.ts';

const ROLES = ['does_the_work', 'judges_it', 'unrelated'] as const;

export interface BelongsClaim {
  readonly path: string;
  readonly role: (typeof ROLES)[number];
  /** What the checks demand is less than before because of this file. */
  readonly weakens: boolean;
  /** Null: of a file that is unrelated as a whole. */
  readonly hunk: number | null;
  readonly quote: string;
  readonly why: string;
}

export interface BelongsAnswer {
  readonly files: readonly BelongsClaim[];
}

/** As many as a person would look at. */
export const MAX_CLAIMS = 40;
export const WHY_CHARS = 200;
const QUOTE_CHARS = 600;
const PATH_CHARS = 1_000;
/** A shorter quotation stands everywhere, unless it is a whole line. */
const LEAST_QUOTE_CHARS = 8;

const CLAIM = formed<BelongsClaim>({
  path: verbatim(PATH_CHARS),
  role: choice(ROLES),
  weakens: truth,
  hunk: orNull(wholeNumber),
  quote: (value) => (typeof value === 'string' && value.length <= QUOTE_CHARS ? value : undefined),
  why: sentence(WHY_CHARS),
});

export function checkBelongs(
  reply: unknown,
  paths: readonly string[],
  shown: readonly ShownHunk[],
): CheckedAnswer<BelongsAnswer> | string {
  if (isJsonObject(reply) && Array.isArray(reply['files']) && reply['files'].length > MAX_CLAIMS)
    return `the answer names more than ${MAX_CLAIMS} files`;
  const read = readForm(reply, { files: manyOf(CLAIM, MAX_CLAIMS), confidence: share });
  if (typeof read === 'string') return read;
  const holding: BelongsClaim[] = [];
  const checked: CheckedClaim[] = [];
  const wrong: string[] = [];
  for (const claim of read.files.filter(({ role, weakens }) => weakens || role !== 'does_the_work')) {
    const { path, role, weakens } = claim;
    const found = standing(claim, paths, shown);
    if (typeof found === 'string') wrong.push(found);
    else if (!holding.some((one) => one.path === found.path && one.weakens === weakens)) holding.push(found);
    checked.push({ claim: `${path}: ${weakens ? 'weakens' : role}`, holds: typeof found !== 'string' });
  }
  if (holding.length === 0 && wrong[0] !== undefined) return wrong[0];
  const held = checked.length - wrong.length;
  return {
    answer: { files: holding },
    quotes: holding.flatMap(({ hunk, quote }) => (hunk === null ? [] : [{ entry: hunk, text: quote }])),
    checked,
    confidence: checked.length === 0 ? read.confidence : read.confidence * (held / checked.length),
  };
}

/** The claim with the path as it is; a text says why the record does not hold it. */
function standing(
  claim: BelongsClaim,
  paths: readonly string[],
  shown: readonly ShownHunk[],
): BelongsClaim | string {
  const { role, weakens, hunk } = claim;
  const isUnrelated = role === 'unrelated' && !weakens;
  const isFolder = isUnrelated && claim.path.endsWith('/');
  const isNamed = (path: string) =>
    isFolder ? oneLine(path).startsWith(claim.path) : oneLine(path) === claim.path;
  const found = paths.find(isNamed);
  if (found === undefined) return 'a path is not among the changed files';
  const path = isFolder ? claim.path : found;
  if (hunk === null) return isUnrelated ? { ...claim, path, quote: '' } : `no hunk is named for ${path}`;
  const named = shown.find(({ number }) => number === hunk);
  if (named === undefined || !isNamed(named.path))
    return `hunk ${hunk} is not of the file that it is named with`;
  const quote = claim.quote.trim();
  const lines = named.lines.filter(isChange).map((line) => line.slice(1).trim());
  const stands = lines.some(
    (line) => line === quote || (quote.length >= LEAST_QUOTE_CHARS && line.includes(quote)),
  );
  if (!stands || quote === '') return `hunk ${hunk} has no added or removed line with the quotation`;
  return { ...claim, path, quote };
}
