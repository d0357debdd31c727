import { printable } from '../../output.ts'
import { counted } from './report.ts'

/** What a conversion wrote, and what became of values that have no place in it. */
export interface Conversion {
  readonly tickets: number
  readonly comments: number
  readonly attachments: number
  readonly unplaced: readonly { readonly column: string; readonly values: number; readonly became: string }[]
}

/** Describes a conversion for people. `list` is the file with every value that has no place. */
export function describeConversion(output: string, result: Conversion, list: string | undefined): string {
  const { tickets, comments, attachments } = result
  const counts = [counted(tickets, 'request'), counted(comments, 'comment'), counted(attachments, 'attachment')]
  const lines = result.unplaced.map(({ column, values, became }) => {
    const verb = became.startsWith('left out') ? (values === 1 ? 'was' : 'were') : 'became'
    return `  ${printable(column)}: ${counted(values, 'value')} ${verb} ${printable(became)}`
  })
  const where = list === undefined ? [] : [`  every such value is in ${printable(list)}`]
  return [`${printable(output)}: ${counts.join(', ')}`, ...lines, ...(lines.length > 0 ? where : [])].join('\n')
}
