/** `editOf`: finds which file an editing call touches and, if the tool tells, the old and the new text. */

export interface EditTarget {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

const PATH =
  /"(?:file_path|filePath|path|filename|file|notebook_path|absolute_path)" *: *"((?:[^"\\]|\\.){1,400})"/;
const FROM = /"(?:old_string|oldString|old_str|search)" *: *"((?:[^"\\]|\\.)*)/;
const TO = /"(?:new_string|newString|new_str|replace)" *: *"((?:[^"\\]|\\.)*)/;
const PATCH_FILE = /\*\*\* (?:Update|Add|Delete) File: (\S{1,400})/;
const SHELL_TARGET =
  /(?:>{1,2} *|\btee (?:-a )?|sed -i(?: -E)? (?:'[^']{0,300}'|"[^"]{0,300}"|\S+) )([\w./~-]{1,300})/;

export function editOf(input: string): EditTarget | null {
  const path = PATH.exec(input)?.[1] ?? PATCH_FILE.exec(input)?.[1] ?? SHELL_TARGET.exec(input)?.[1];
  if (path === undefined) return null;
  return { path, from: FROM.exec(input)?.[1] ?? null, to: TO.exec(input)?.[1] ?? null };
}
