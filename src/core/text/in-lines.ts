/** `inLines`: one long pattern that stands in several lines; the breaks and the indent are no part of it. */
export function inLines(
  flags: string,
): (source: TemplateStringsArray, ...parts: readonly RegExp[]) => RegExp {
  return ({ raw }, ...parts) =>
    new RegExp(String.raw({ raw }, ...parts.map(({ source }) => source)).replace(/\n\s*/g, ''), flags);
}
