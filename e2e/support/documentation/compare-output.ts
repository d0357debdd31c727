/** Returns the lines of documented output that the real output does not have. `…` stands for anything. */
export function differences(documented: readonly string[], real: string): string[] {
  const lines = real.split('\n').map(normal)
  const missing = documented.filter((line) => {
    const wanted = normal(line)
    if (wanted === '' || wanted === '…') return false
    const pattern = new RegExp(`^${wanted.split('…').map(escapePattern).join('.*')}$`)
    return !lines.some((each) => pattern.test(each))
  })
  return missing.map(
    (line) => `the page shows\n  ${line}\nbut the command printed\n${real.trim().replace(/^/gm, '  ')}`,
  )
}

/** Replaces what differs between two runs: ids, times, measured values, the width of columns. */
function normal(line: string): string {
  return line
    .replace(/\s+/g, ' ')
    .replace(/\b(org|site|dev|con|dp|ovr|dsp|wh|job|key)_[\w-]*…?/g, '$1_ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d+ bytes/g, 'N bytes')
    .replace(/^(dp_ID .*? )-?[\d.]+( \S+)? TIME/, '$1VALUE TIME')
    .trim()
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
