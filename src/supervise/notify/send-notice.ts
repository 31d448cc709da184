/** `sendNotice`: hands a notice to its receiver: a signed webhook, a Slack-compatible one, a person's command, a collector. */
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunNotice } from '../../core/view/notices.ts';
import { isInside } from '../../platform/file/inside.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import { readView } from '../../core/view/read-view.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { NotifyTarget } from './notify-config.ts';
import { fleetFigures } from '../fleet-figures.ts';
import { postJson, sendFigures, sendTrace } from './otlp.ts';

/** A receiver answers at once, or it is down. */
const TIMEOUT_MS = 10_000;
const MAX_PROBLEM = 300;

interface Sending {
  readonly target: NotifyTarget;
  readonly notice: RunNotice;
  /** Of the desk, with a slash at its end. */
  readonly deskUrl: string;
  readonly home: string;
  readonly record: RunRecord;
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
}

/** Null: delivered. Otherwise what went wrong, for a person. */
export async function sendNotice(sending: Sending): Promise<string | null> {
  const problem = await handOver(sending).catch((error: unknown) => reasonOf(error));
  return problem?.slice(0, MAX_PROBLEM) ?? null;
}

async function handOver(sending: Sending): Promise<string | null> {
  const { target, notice, home, record } = sending;
  if ('webhook' in target) return await post(sending, target);
  if ('command' in target) return await run(sending, target.command);
  if ('figures' in target)
    return await sendFigures(target.figures, await fleetFigures(record, sending.now), sending.now);
  const row = await record.row(notice.run_id);
  return row === null ? null : await sendTrace(target.collector, home, readView(row));
}

async function post(
  { notice, deskUrl, env, now }: Sending,
  { webhook, form, secret_variable: variable }: Extract<NotifyTarget, { webhook: string }>,
): Promise<string | null> {
  const secret = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !secret) return `the variable ${variable} with the signing secret is not set`;
  const url = `${deskUrl}${notice.path}`;
  const body = JSON.stringify(form === 'slack' ? slackForm(notice, url) : { ...notice, url });
  const time = String(Math.floor(now / 1000));
  const headers = { 'user-agent': 'mayday', 'webhook-id': notice.id, 'webhook-timestamp': time };
  const signed =
    secret === undefined ? {} : { 'webhook-signature': signature(secret, `${notice.id}.${time}.${body}`) };
  return await postJson(webhook, { ...headers, ...signed }, body);
}

/** As the Standard Webhooks specification signs, so that receivers can check it with the libraries they have. */
function signature(secret: string, text: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

/** Text of an agent must neither format nor mention: Slack reads these three characters as markup. */
function slackForm({ type, called = type, title, text, question }: RunNotice, url: string) {
  const safe = (words: string) =>
    words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const options = (question?.options ?? []).map(({ label }, at) => `${at + 1}. ${safe(label)}`);
  const lines = [`*${called}* ${safe(title)}`, safe(text), ...options];
  return { text: [...lines, `<${url}|${question === null ? 'open' : 'answer'}>`].join('\n') };
}

async function run(
  { notice, deskUrl, home, env }: Sending,
  command: readonly string[],
): Promise<string | null> {
  const url = `${deskUrl}${notice.path}`;
  const { exitCode, timedOut, output } = await runCommand({
    argv: [...command, `${notice.called ?? notice.type}: ${notice.title}\n${notice.text}\n${url}`],
    cwd: home,
    env: Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    timeoutMs: TIMEOUT_MS,
    input: `${JSON.stringify({ ...notice, url })}\n`,
    // An agent may have changed the program that the person named. What lies in Mayday's own folder, it cannot have changed.
    hidden: {
      home,
      show: command
        .map((word) => resolve(home, word))
        .filter((path) => isInside(path, home) && existsSync(path)),
      inside: { runId: notice.run_id, blocker: null },
    },
  });
  if (exitCode === 0) return null;
  return timedOut ? 'the command took too long' : `the command ended with ${exitCode}: ${output.trim()}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name with two addresses: the error of both has a code and no message.
  const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return message || code || error.message;
}
