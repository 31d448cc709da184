/**
 * `TOPICS`: what a sentence is about, and that something is wrong with it, in any words. Asked last, where nothing tells what
 * kind of program spoke.
 */
export const TOPICS = String.raw`
  topic.permission permission_denied 0.35 roles=unknown,model
    i \b(?:permissions?|approv(?:al|e|ed)|trust(?:ed)?|untrusted|sandbox(?:ed|ing)?|privileges?|consent|landlock|seatbelt)\b
    and i \b(?:denied|rejected|declined|blocked|insufficient)\b
    and i \b(?:refused|cannot|can't|not (?:granted|allowed|permitted|approved|trusted|inside)|restrict\w{0,4})\b
    and i \b(?:requires?|required|needs?|error|failed|do you|one you)\b
  topic.model environment 0.35 roles=unknown,model
    i \b(?:model|provider|deployment|sessions?|conversation)\b
    i \b(?:daemon|env(?:ironment)? vars?|profile|trusted directory|config(?:uration)?|settings)\b
    and i \b(?:not (?:found|supported|exist|set|running|configured|installed|inside|recogni[sz]ed)|unknown|unsupported|does not exist)\b
    and i \b(?:no .{1,40}(?:found|available|configured)|(?:can't|cannot|could not) (?:find|load)|error loading|not enabled)\b
    and i \b(?:may not exist|requires setting|was not specified|is it running)\b
  topic.protocol tool_protocol_error 0.35 roles=unknown,model
    i \b(?:tools?(?: calls?| results?| use)?|function calls?|arguments|schema|(?:API )?response)\b
    i \b(?:LLM|model|completion|payload|output items?)\b
    and i \b(?:malformed|unpars[ae]ble|empty|unexpected|missing)\b
    and i \b(?:invalid|incomplete|corrupt(?:ed)?|truncated|did not (?:conform|match|provide|return))\b
    and i \b(?:(?:execution|call|use) failed|cannot be used|could not interpret|expected (?:exactly|one|a|an) .{1,60}\bgot)\b
    and i \b(?:could not (?:be )?pars|failed to parse|not valid|without a)\b
`;
