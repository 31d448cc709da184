/** `mayday autopsy`: reads agent sessions that Mayday did not supervise and tells how each went. */
import { newChance } from '../../supervise/new-chance.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
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
import { isFile } from '../../platform/file/file-kind.ts';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { storyText } from '../../report/autopsy/story-text.ts';
import { tellStory } from '../../report/autopsy/story.ts';
import { verdictJson } from '../../report/autopsy/verdict-json.ts';
import { thresholdsAt } from '../../supervise/request/config.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { allowedRecovery } from './allowed-recovery.ts';
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
  const nameSuspect = await suspectNamer(invocation, true);
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
    done.push({ session, found: await nameSuspect(found, session.entries) });
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
  const paths = invocation.args.map((path) => filePath(invocation, path));
  const { policy: limits } = await thresholdsAt(maydayHome(invocation.env), invocation.cwd);
  const nameSuspect = await suspectNamer(invocation, false);
  for (const path of paths.length === 0 ? [null] : paths) {
    const input = path === null ? process.stdin : (await open(path)).createReadStream();
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
      const found = await nameSuspect(autopsy(id, entries, diagnose, limits, newChance()), entries);
      if (!invocation.stdout.write(`${JSON.stringify(verdictJson(found, stepOf))}\n`)) {
        await new Promise((resume) => invocation.stdout.stream.once('drain', resume));
      }
    }
  }
  return 0;
}

function filePath({ cwd }: Invocation, path: string): string {
  const full = resolve(cwd, path);
  if (isFile(full)) return full;
  throw usageError('SESSION_NOT_FOUND', `there is no session file ${full}`, [
    ['do', 'mayday autopsy without a path looks for the latest session on this machine'],
  ]);
}

function named(invocation: Invocation, path: string): SessionFile {
  const full = filePath(invocation, path);
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

type NameSuspect = (found: Autopsy, entries: readonly TranscriptEntry[]) => Promise<Autopsy>;

const RULES_ONLY: NameSuspect = async (found) => found;

/** The model under `recovery:` that may name the step where a run went wrong; only if its key is set and the folder is trusted. */
async function suspectNamer(invocation: Invocation, unasked: boolean): Promise<NameSuspect> {
  const { env, stderr } = invocation;
  const recovery = await allowedRecovery(invocation, 'autopsy', unasked);
  if (recovery === undefined || recovery.provider === 'claude') return RULES_ONLY;
  const apiKey = env[recovery.key_variable] ?? '';
  if (apiKey === '') return RULES_ONLY;
  const provider = { type: recovery.provider, url: recovery.url, model: recovery.model, apiKey };
  const { createRedactor } = await import('../../record/redaction/redact.ts');
  const { RECOVERY_LIMITS } = await import('../../agents/recovery/recovery-agent.ts');
  const { askSuspect } = await import('../../agents/recovery/ask-suspect.ts');
  const redactor = createRedactor({ environment: env });
  return async (found, entries) => {
    // The rules found no failure: there is nothing to ask the model.
    if (found.suspectedStep === null || found.state === 'unknown') return found;
    const answer = await askSuspect(
      entries,
      found.suspectedStep,
      (text) => redactor.redact(text),
      provider,
      RECOVERY_LIMITS,
      new AbortController().signal,
    );
    if (answer.type === 'answered')
      return { ...found, suspectedStep: answer.suspect.step, suspect: answer.suspect };
    writeText(stderr, `mayday autopsy: the suspected step is the rules' guess: ${answer.reason}\n`);
    return found;
  };
}
