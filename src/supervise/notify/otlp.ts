/**
 * `collectorOf`, `sendTrace`, `sendFigures`: a run's trace, and the figures of all runs, as OTLP/HTTP JSON to the OpenTelemetry collector
 * that the `OTEL_*` variables name.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { transcriptPath } from '../../act/run-files.ts';
import { type TracedCall, runTrace, type TraceSpan } from '../../core/view/run-trace.ts';
import type { RunJson } from '../../core/view/run-json.ts';
import { FIGURES, type FleetFigures } from '../fleet-figures.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';

/** Collectors refuse larger requests; the first calls of a run tell as much as all of them. */
const MAX_CALLS = 2_000;
const TIMEOUT_MS = 10_000;
const OK = 1;
const FAILED = 2;
const INTERNAL = 1;
const CUMULATIVE = 2;
const SCOPE = { name: 'mayday' };

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
}

/** Null: nothing is sent. It is off unless a collector is named. */
export function collectorOf(env: NodeJS.ProcessEnv, of: 'traces' | 'metrics'): Collector | null {
  const OF = of.toUpperCase();
  if (env['OTEL_SDK_DISABLED'] === 'true' || env[`OTEL_${OF}_EXPORTER`] === 'none') return null;
  const setting = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_${OF}_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`];
  // The address of a gRPC collector does not speak HTTP.
  if (setting('PROTOCOL') === 'grpc') return null;
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const url = env[`OTEL_EXPORTER_OTLP_${OF}_ENDPOINT`] || (base ? `${base.replace(/\/$/, '')}/v1/${of}` : '');
  if (!URL.canParse(url)) return null;
  return {
    url,
    headers: pairs(setting('HEADERS')),
    resource: {
      ...pairs(env['OTEL_RESOURCE_ATTRIBUTES']),
      'service.name': env['OTEL_SERVICE_NAME'] || 'mayday',
    },
  };
}

/** Null: the collector has it. Ids come from the run, so that a trace that is sent twice is the same trace. */
export async function sendTrace(collector: Collector, home: string, run: RunJson): Promise<string | null> {
  const calls = await Promise.all(run.attempts.map(({ number }) => callsOf(home, run.run_id, number)));
  const traceId = hex(run.run_id, 32);
  const spans = runTrace(run, calls.flat().slice(0, MAX_CALLS)).map((span) => otlpSpan(traceId, span));
  return await post(collector, {
    resourceSpans: [{ resource: resourceOf(collector), scopeSpans: [{ scope: SCOPE, spans }] }],
  });
}

/** Null: the collector has them. Sums count from the first run on, also after a restart: the record remembers. */
export async function sendFigures(
  collector: Collector,
  figures: FleetFigures,
  now: number,
): Promise<string | null> {
  const timeUnixNano = nanoseconds(now);
  const metrics = FIGURES.map(({ name, type, help, samples }) => {
    const told = samples(figures);
    const values: readonly (readonly [Record<string, string>, number])[] =
      typeof told === 'number'
        ? [[{}, told]]
        : [...told.counts].map(([value, count]) => [{ [told.by]: value }, count]);
    const dataPoints = values.map(([of, asDouble]) => ({
      attributes: attributes(of),
      startTimeUnixNano: nanoseconds(figures.since ?? now),
      timeUnixNano,
      asDouble,
    }));
    // As a collector names it in Prometheus again: mayday.rescues becomes mayday_rescues_total.
    const dotted = name.replace(/_total$/, '').replace('_', '.');
    const about = { name: dotted, description: help };
    return type === 'gauge'
      ? { ...about, gauge: { dataPoints } }
      : { ...about, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } };
  });
  return await post(collector, {
    resourceMetrics: [{ resource: resourceOf(collector), scopeMetrics: [{ scope: SCOPE, metrics }] }],
  });
}

function post({ url, headers }: Collector, document: object): Promise<string | null> {
  return postJson(url, headers, JSON.stringify(document));
}

/** Null: it took the document. A receiver answers at once, or it is down. */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string | null> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  await answer.body?.cancel();
  return answer.ok ? null : `it answered ${answer.status}`;
}

function resourceOf({ resource }: Collector) {
  return { attributes: attributes(resource) };
}

function nanoseconds(at: number): string {
  return `${Math.round(at)}000000`;
}

async function callsOf(home: string, runId: string, attempt: number): Promise<readonly TracedCall[]> {
  const path = transcriptPath(home, runId, attempt);
  if (!existsSync(path)) return [];
  const calls = new Map<string, TracedCall>();
  for await (const { entry } of readTranscript(path)) {
    if (entry.type === 'tool_call') {
      const { id, tool, at } = entry;
      calls.set(id, { attempt, id, tool, from: at, to: null, failed: false });
    } else if (entry.type === 'tool_result') {
      const call = calls.get(entry.id);
      if (call !== undefined) calls.set(entry.id, { ...call, to: entry.at, failed: entry.isError });
    }
  }
  return [...calls.values()];
}

function otlpSpan(traceId: string, { id, parent, name, from, to, failed, ...rest }: TraceSpan) {
  return {
    traceId,
    spanId: hex(`${traceId} ${id}`, 16),
    ...(parent === null ? {} : { parentSpanId: hex(`${traceId} ${parent}`, 16) }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributes(rest.attributes),
    status: { code: failed ? FAILED : OK },
  };
}

function attributes(values: TraceSpan['attributes']) {
  return Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: string | number | boolean) {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function hex(text: string, digits: number): string {
  return createHash('sha256').update(`mayday trace ${text}`).digest('hex').slice(0, digits);
}

/** `name=value,name=value`, values encoded as in a URL. */
function pairs(text = ''): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('='))
      .filter(([name = '', ...value]) => name.trim() !== '' && value.length > 0)
      .map(([name = '', ...value]) => [name.trim(), decoded(value.join('=').trim())]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
