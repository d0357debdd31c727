import { csvLine } from '@plantroom/base/csv'
import { createAtomicFile } from '../../atomic-file.ts'
import { printable } from '../../output.ts'
import { counted } from './report.ts'

/** A problem of a source, as a conversion reports it. */
export interface Problem {
  readonly place: string
  readonly column?: string | undefined
  readonly message: string
}

const ON_THE_TERMINAL = 20

/** Describes problems for people: the first 20, and where the others are. */
export function describeProblems(problems: readonly Problem[], file?: string): string {
  const lines = problems.slice(0, ON_THE_TERMINAL).map(describeProblem)
  const all = counted(problems.length, 'problem')
  const isCut = problems.length > lines.length
  const where = file === undefined ? 'use --problems FILE.csv to get all' : `all in ${printable(file)}`
  const rest = isCut || file !== undefined ? `${all}${isCut ? ', the first 20 above' : ''}; ${where}` : all
  return [...lines.map((line) => `  ${line}`), `  ${rest}; no package was written`].join('\n')
}

function describeProblem({ place, column, message }: Problem): string {
  return printable([place, column, message].filter((part) => part !== undefined).join(': '))
}

/** Writes every problem to a file: place,column,problem. */
export function writeProblems(path: string, problems: readonly Problem[]): void {
  const file = createAtomicFile(path)
  file.write(csvLine(['place', 'column', 'problem']))
  for (const { place, column, message } of problems) file.write(csvLine([place, column ?? '', message]))
  file.commit()
}
