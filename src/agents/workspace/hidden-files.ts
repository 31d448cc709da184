/** `isHidden`: files that no model is shown: they may hold credentials, or are not part of the work. */
const FOLDERS: readonly string[] = ['.git', 'node_modules', '.ssh', '.aws', '.gnupg', '.mayday'];
/** `*` stands for any characters of one name. */
// biome-ignore format: words stand together
const FILES: readonly string[] = [
  '.env*', '.npmrc', '.netrc', '.pypirc', 'id_*', '*.pem', '*.key', '*.p12', '*.pfx',
];

const FILE_PATTERNS = FILES.map(
  (name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`),
);

/** A path inside the workspace, with forward slashes. */
export function isHidden(path: string): boolean {
  const names = path.split('/');
  const last = names.at(-1) ?? '';
  return names.some((name) => FOLDERS.includes(name)) || FILE_PATTERNS.some((pattern) => pattern.test(last));
}
