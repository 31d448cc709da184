/**
 * `lookInWorkspace`: what the workspace shows about the subject of a diagnosis: the line that the failure names, the body of the function
 * that returned the wrong value, whether a missing package is declared, which scripts there are. It only reads.
 */
import type { Diagnosis, DiagnosisSubject, WorkspaceEvidence } from '../../core/vocabulary/diagnosis.ts';
import { linesWith, workspaceText } from './workspace-reading.ts';

/** Source files and manifests are smaller; of a larger file the start is read. */
const FILE_BYTES = 400_000;
const LINE_CHARS = 200;
/** The return of a longer function is not looked for. */
const BODY_LINES = 12;
/** A path of another machine differs in its first folders. */
const FOLDERS_DROPPED = 8;

const JAVASCRIPT = /\.[cm]?[jt]sx?$/;
const PYTHON = /\.pyi?$/;
const MANIFESTS = [
  { code: JAVASCRIPT, file: 'package.json', lock: ['package-lock.json', 'npm ci'] },
  { code: JAVASCRIPT, file: 'package.json', lock: ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'] },
  { code: JAVASCRIPT, file: 'package.json', lock: ['yarn.lock', 'yarn install --immutable'] },
  { code: PYTHON, file: 'pyproject.toml', lock: ['uv.lock', 'uv sync'] },
  { code: PYTHON, file: 'pyproject.toml', lock: ['poetry.lock', 'poetry install'] },
  { code: PYTHON, file: 'requirements.txt', lock: ['requirements.txt', 'pip install -r requirements.txt'] },
  { code: /\.rs$/, file: 'Cargo.toml', lock: ['Cargo.lock', 'cargo fetch'] },
  { code: /\.go$/, file: 'go.mod', lock: ['go.sum', 'go mod download'] },
  { code: /\.rb$/, file: 'Gemfile', lock: ['Gemfile.lock', 'bundle install'] },
] as const;

export async function lookInWorkspace(
  diagnosis: Diagnosis,
  root: string,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const { subject } = diagnosis;
  if (subject === undefined || diagnosis.failureType === 'success') return diagnosis;
  const named = await lineNamed(root, subject);
  const call = subject.call === '' ? callIn(named?.text ?? '') : subject.call;
  const workspace = [
    ...(named === null ? [] : [named]),
    ...(diagnosis.failureType === 'test_failure' ? await bodyOf(root, call, signal) : []),
    ...(subject.module === '' ? [] : await declared(root, subject.module, subject.file)),
    ...(subject.script === '' ? [] : await scripts(root)),
  ].map((found) => ({ ...found, text: found.text.trim().slice(0, LINE_CHARS) }));
  return workspace.length === 0 ? diagnosis : { ...diagnosis, workspace };
}

/** The line at the named place; the text may come from another machine, where the repository lay in another folder. */
async function lineNamed(root: string, { file, row }: DiagnosisSubject): Promise<WorkspaceEvidence | null> {
  if (file === '' || row === 0) return null;
  const folders = file
    .replace(/^[A-Za-z]:/, '')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.');
  for (let dropped = 0; dropped < Math.min(folders.length, FOLDERS_DROPPED); dropped += 1) {
    const path = folders.slice(dropped).join('/');
    const text = (await workspaceText(root, path, FILE_BYTES))?.split('\n')[row - 1];
    if (text !== undefined && text.trim() !== '') return { path, line: row, text };
  }
  return null;
}

/** `expect(add(2, 3)).toBe(5)` compares what `add` returned. */
function callIn(text: string): string {
  return (
    /\b(?:expect|assert\w{0,20}|equal|is)\(? {0,2}(?<call>[A-Za-z_][\w.]{0,80})\(/.exec(text)?.groups?.[
      'call'
    ] ?? ''
  );
}

/** Where the function is defined, and what it returns there. */
async function bodyOf(
  root: string,
  call: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceEvidence[]> {
  const name = call.split('.').at(-1) ?? '';
  if (name.length < 2) return [];
  const defines = new RegExp(
    `\\b(?:function|def|fn|func|fun|sub|const|let|static|public)\\b.{0,80}\\b${name}\\b`,
  );
  const found = (await linesWith(root, name, '**', signal)).find(({ text }) => defines.test(text));
  if (found === undefined) return [];
  const lines = (await workspaceText(root, found.path, FILE_BYTES))?.split('\n') ?? [];
  const body = lines.slice(found.line - 1, found.line - 1 + BODY_LINES);
  const returns = body.findIndex((text) => /\breturn\b|=>/.test(text));
  const at = returns === -1 ? 0 : returns;
  return [{ path: found.path, line: found.line + at, text: body[at] ?? found.text }];
}

/** Whether a manifest of the language that asks for it declares what was not found, and what would install it. */
async function declared(root: string, module: string, asking: string): Promise<readonly WorkspaceEvidence[]> {
  const name = module.startsWith('@')
    ? module.split('/').slice(0, 2).join('/')
    : (module.split(/[/.]/)[0] ?? module);
  const seen: string[] = [];
  const ofLanguage = MANIFESTS.filter(({ code }) => code.test(asking));
  for (const { file, lock } of ofLanguage.length === 0 ? MANIFESTS : ofLanguage) {
    const text = await workspaceText(root, file, FILE_BYTES);
    if (text === null) continue;
    if (!seen.includes(file)) seen.push(file);
    const at = text.split('\n').findIndex((line) => line.toLowerCase().includes(name.toLowerCase()));
    if (at === -1) continue;
    const isLocked = (await workspaceText(root, lock[0], 1)) !== null;
    if (isLocked)
      return [{ path: file, line: at + 1, text: `declares ${name}; ${lock[0]} is there: ${lock[1]}` }];
  }
  return seen
    .slice(0, 1)
    .map((path) => ({ path, line: 0, text: `does not declare ${name}, or has no lock file` }));
}

async function scripts(root: string): Promise<readonly WorkspaceEvidence[]> {
  const text = await workspaceText(root, 'package.json', FILE_BYTES);
  if (text === null) return [];
  try {
    const names = Object.keys((JSON.parse(text) as { scripts?: object }).scripts ?? {});
    const told = names.length === 0 ? 'has no scripts' : `has the scripts ${names.slice(0, 12).join(', ')}`;
    return [{ path: 'package.json', line: 0, text: told }];
  } catch {
    return [{ path: 'package.json', line: 0, text: 'is not valid JSON' }];
  }
}
