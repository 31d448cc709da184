/** `mayday autopsy`: reads agent sessions that Mayday did not supervise and tells how each went. */
import { newChance } from '../../supervise/new-chance.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { objectOrNull, jsonList, jsonText } from '../../core/text/json.ts';
import { entriesOfSteps } from '../../agents/neutral/steps.ts';
import type { SessionFile } from '../../agents/sessions/session-store.ts';
import {
  type AgentSession,
  newestSessions,
  readSession,
  sessionFileAt,
} from '../../agents/sessions/session-stores.ts';
import { policyFor } from '../../core/vocabulary/agent-limits.ts';
import { type Autopsy, autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../core/diagnose/diagnose.ts';
import { bounded, MAX_LINE_BYTES, namedChunks } from '../../platform/file/named-file.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { storyText } from '../../report/autopsy/story-text.ts';
import { tellStory } from '../../report/autopsy/story.ts';
import { verdictJson } from '../../report/autopsy/verdict-json.ts';
import { thresholdsAt } from '../../supervise/request/config.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { storyAsker } from './autopsy-opinion.ts';
import { writeText } from '../write-text.ts';

export async function run(invocation: Invocation): Promise<number> {
  if (invocation.options['import'] === true) {
    const files = invocation.args.length > 0 ? invocation.args.map((path) => named(invocation, path)) : null;
    const { importSessions } = await import('./autopsy-import.ts');
    return await importSessions(invocation, files);
  }
  if (invocation.options['jsonl'] === true) return inBulk(invocation);
  const files =
    invocation.args.length > 0 ? invocation.args.map((path) => named(invocation, path)) : latest(invocation);
  const limits = await thresholdsAt(maydayHome(invocation.env), invocation.cwd);
  const withOpinion = await storyAsker(invocation, false);
  const done: { readonly session: AgentSession; readonly found: Autopsy }[] = [];
  for (const file of files) {
    const session = readSession(file);
    const who = { agent: file.store, model: session.facts.model };
    const policy = policyFor(limits.policy, who, limits.agentPolicy);
    const found = autopsy(
      session.facts.sessionId ?? file.path,
      session.entries,
      diagnose,
      policy,
      newChance(),
    );
    done.push({ session, found: await withOpinion(found, session.entries, policy) });
  }
  const page = invocation.options['html'];
  if (typeof page === 'string') {
    const { storyHtml } = await import('../../report/autopsy/story-html.ts');
    writeFileSync(
      resolve(invocation.cwd, page),
      storyHtml(done.map(({ session, found }) => tellStory(session, found))),
    );
    writeText(invocation.stderr, `mayday autopsy: page written to ${resolve(invocation.cwd, page)}\n`);
  }
  if (invocation.json) {
    const verdicts = done.map(({ found }) => verdictJson(found));
    invocation.stdout.write(`${JSON.stringify(verdicts.length === 1 ? verdicts[0] : verdicts)}\n`);
    return 0;
  }
  const told = done.map(({ session, found }) =>
    storyText(tellStory(session, found), writeBrief(invocation, session, found)),
  );
  writeText(invocation.stdout, told.join('\n'));
  return 0;
}

/** One run per line in, one verdict per line out, in order; a line that is no run gets a verdict that says so. */
async function inBulk(invocation: Invocation): Promise<number> {
  const paths = invocation.args.map((path) => resolve(invocation.cwd, path));
  const { policy: limits } = await thresholdsAt(maydayHome(invocation.env), invocation.cwd);
  const withOpinion = await storyAsker(invocation, true);
  for (const path of paths.length === 0 ? [null] : paths) {
    const chunks =
      path === null ? process.stdin : namedChunks(path, { maxBytes: Infinity, wrong: 'SESSION_NOT_FOUND' });
    const input = Readable.from(bounded(chunks, { maxBytes: MAX_LINE_BYTES, perLine: true }));
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() === '') continue;
      const record = objectOrNull(line);
      const id =
        record === null
          ? null
          : typeof record['id'] === 'number'
            ? `${record['id']}`
            : jsonText(record['id']) || null;
      const { entries, stepOf } = entriesOfSteps(jsonList(record?.['steps']));
      const found = await withOpinion(autopsy(id, entries, diagnose, limits, newChance()), entries, limits);
      if (!invocation.stdout.write(`${JSON.stringify(verdictJson(found, stepOf))}\n`)) {
        await new Promise((resume) => invocation.stdout.stream.once('drain', resume));
      }
    }
  }
  return 0;
}

function named(invocation: Invocation, path: string): SessionFile {
  const full = resolve(invocation.cwd, path);
  const file = sessionFileAt(full);
  if (file !== null) return file;
  throw new MaydayError('SESSION_UNKNOWN', `${full} is no session that Mayday can read`, [
    ['do', 'name a session of Claude Code, Codex, Gemini CLI or opencode'],
    ['do', 'or a file of JSON lines {type, tool, input, output, ts}, or a log of commands (`$ command`)'],
    ['do', 'or call mayday autopsy --jsonl for lines {id, steps}'],
  ]);
}

function latest({ env }: Invocation): readonly SessionFile[] {
  const files = newestSessions(env, 1);
  if (files.length > 0) return files;
  throw new MaydayError('NO_SESSIONS', 'no agent session was found on this machine', [
    ['did', 'looked for Claude Code, Codex, Gemini CLI and opencode sessions in your home folder'],
    ['do', 'mayday autopsy PATH    or set CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME or XDG_DATA_HOME'],
  ]);
}

/** A session that went well needs no next step. */
function writeBrief({ env }: Invocation, session: AgentSession, found: Autopsy): string | null {
  if (found.next.brief === null) return null;
  const folder = join(maydayHome(env), 'briefs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Files without a session of their own often have the same name in folders of their own.
  const { path: file } = session.file;
  const ownName = session.facts.sessionId ?? `${basename(dirname(file))}-${basename(file, extname(file))}`;
  const name = ownName.replace(/[^\w-]/g, '').slice(0, 40) || 'session';
  const path = join(folder, `${name}-brief.md`);
  writeFileSync(path, found.next.brief, { mode: 0o600 });
  return path;
}
