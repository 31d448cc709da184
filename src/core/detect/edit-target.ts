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
/** The target of a redirect stands after a space; `->` and `=>` are no redirects. */
const SHELL_TARGET =
  /(?:(?:^|[\s;&|])\d?>{1,2} *|\btee (?:-a )?|sed -i(?: -E)? (?:'[^']{0,300}'|"[^"]{0,300}"|\S+) )([\w./~-]{1,300})/;
/** An editor on the command line names the file after its verb. */
const CREATED = /^(?:create|touch) +([\w./~-]{1,300})\s*$/;

export function editOf(input: string): EditTarget | null {
  const path =
    PATH.exec(input)?.[1] ?? PATCH_FILE.exec(input)?.[1] ?? CREATED.exec(input)?.[1] ?? shellTarget(input);
  if (path === undefined) return null;
  return { path, from: FROM.exec(input)?.[1] ?? null, to: TO.exec(input)?.[1] ?? null };
}

/** A name without a dot or a slash may be any word that stands after a mark in the text of a program. */
function shellTarget(input: string): string | undefined {
  const target = SHELL_TARGET.exec(input)?.[1];
  return target !== undefined && /[./]/.test(target) ? target : undefined;
}
