/** `runSummary`, `diagnosisSummary`: a document of Mayday as Markdown. `calledOf`: its state in words. `annotation`: a workflow command that GitHub shows at a line. */

/** What is read of the documents of `mayday run --json` and `mayday diagnose --json`. */
export interface RunDocument {
  readonly run_id: string;
  readonly task: string;
  readonly state: string;
  /** Absent in documents of an older Mayday. */
  readonly proven?: boolean;
  readonly why: string;
  readonly next_step: string | null;
  readonly delivered: { readonly ref: string | null; readonly files: readonly string[] } | null;
  readonly checks: readonly {
    readonly command: string;
    readonly passed: boolean;
    readonly purpose?: string;
  }[];
  readonly incidents: readonly {
    readonly class: string;
    readonly root_cause: string | null;
    readonly outcome: string | null;
  }[];
  readonly questions: readonly { readonly text: string; readonly state: string }[];
  readonly usage: { readonly tokens: number; readonly cost_usd: number };
}

export interface DiagnosisDocument {
  readonly failure_type: string;
  readonly root_cause: string;
  readonly recoverable: boolean;
  readonly recovery_plan: string | null;
  readonly human_instructions: string | null;
  readonly confidence: number;
  readonly step: string | null;
  readonly evidence: readonly { readonly line: number; readonly text: string }[];
  readonly workspace: readonly { readonly path: string; readonly line: number; readonly text: string }[];
}

export function runSummary(run: RunDocument, story: string): string {
  const spent = run.usage.cost_usd > 0 ? [`spent: $${run.usage.cost_usd.toFixed(2)}`] : [];
  const last = run.checks.filter(({ purpose }) => purpose !== 'baseline');
  const checks = new Map(last.map(({ command, passed }) => [command, passed]));
  return [
    `### Mayday: ${calledOf(run)}`,
    '',
    quoted(run.task.split('\n')[0] ?? ''),
    '',
    ...listed([
      run.why,
      ...(run.delivered === null
        ? []
        : [`${calledOf(run)}: ${code(run.delivered.ref ?? '')}, ${files(run.delivered.files.length)}`]),
      ...[...checks].map(([command, passed]) => `check ${code(command)}: ${passed ? 'passed' : 'failed'}`),
      ...run.incidents.map(
        (incident) =>
          `${incident.class.replaceAll('_', ' ')}: ${incident.root_cause ?? ''} (${incident.outcome ?? 'open'})`,
      ),
      ...spent,
      ...(run.next_step === null ? [] : [`next: ${code(run.next_step)}`]),
    ]),
    '',
    '<details><summary>The story</summary>',
    '',
    fenced(story),
    '',
    '</details>',
  ].join('\n');
}

/** As Mayday itself calls the state. */
export function calledOf({ state, proven }: RunDocument): string {
  const isDelivered = state === 'delivered' || state === 'unverified';
  return isDelivered && proven === false ? 'delivered, not proven' : state;
}

export function diagnosisSummary(found: DiagnosisDocument): string {
  const todo = found.recovery_plan ?? found.human_instructions;
  return [
    `### Mayday: ${found.failure_type.replaceAll('_', ' ')}`,
    '',
    quoted(found.root_cause),
    '',
    ...listed([
      `${found.recoverable ? 'recoverable' : 'needs a person'} (${found.confidence.toFixed(2)})`,
      ...(found.step === null ? [] : [`where: ${code(found.step)}`]),
      ...found.workspace.map(({ path, line }) => `see ${code(line > 0 ? `${path}:${line}` : path)}`),
      ...(todo === null ? [] : [`do: ${todo}`]),
    ]),
    '',
    fenced(found.evidence.map(({ line, text }) => `${line} | ${text}`).join('\n')),
  ].join('\n');
}

export function annotation(
  kind: 'error' | 'warning',
  title: string,
  text: string,
  place?: { readonly path: string; readonly line: number },
): string {
  const where = place === undefined ? '' : `file=${property(place.path)},line=${place.line},`;
  return `::${kind} ${where}title=${property(title)}::${data(text)}`;
}

/** The text is of an agent or a log: it stays one list item, and cannot mention anybody or close a block. */
function listed(items: readonly string[]): string[] {
  return items.filter((item) => item.trim() !== '').map((item) => `- ${quiet(item)}`);
}

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

function quoted(text: string): string {
  return `> ${quiet(text)}`;
}

function quiet(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('@', '@\u200B');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
}

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
