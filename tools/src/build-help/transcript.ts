export interface TranscriptPart {
  kind: 'command' | 'output'
  text: string
}

/**
 * Splits a `console` block into commands, which follow a `$`, and their output. A command goes on after a backslash at the
 * end of a line. A block without a `$` consists of commands.
 */
export function splitTranscript(text: string): TranscriptPart[] {
  const lines = text.split('\n')
  if (!lines.some((line) => line.startsWith('$ '))) return [{ kind: 'command', text }]
  const parts: TranscriptPart[] = []
  let continues = false
  for (const line of lines) {
    const last = parts.at(-1)
    if (continues && last) last.text += `\n${line}`
    else if (line.startsWith('$ ')) parts.push({ kind: 'command', text: line.slice(2) })
    else if (last?.kind === 'output') last.text += `\n${line}`
    else parts.push({ kind: 'output', text: line })
    continues = parts.at(-1)?.kind === 'command' && line.endsWith('\\')
  }
  return parts
}
