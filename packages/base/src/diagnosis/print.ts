import type { Result } from './check.ts'

const MARKS = { ok: 'ok     ', skipped: 'skipped', warning: 'WARNING', problem: 'PROBLEM' } as const

/** The results for people: one line each, with the remedy below it, the count, and at the end what to do. */
export function printResults(results: readonly Result[]): string {
  const width = Math.max(0, ...results.map(({ name }) => name.length))
  const indent = ' '.repeat(MARKS.ok.length + width + 4)
  const lines = results.flatMap(({ level, name, text, remedy }) => [
    `${MARKS[level]}  ${name.padEnd(width)}  ${text}`,
    ...(remedy ? [`${indent}${remedy}`] : []),
  ])
  return [...lines, summaryOf(results), ...toDo(results)].join('\n')
}

/** What keeps the program from working, first. Several problems may have the same remedy. */
function toDo(results: readonly Result[]): string[] {
  const problems = results.filter(({ level, remedy }) => level === 'problem' && remedy)
  const steps = new Set(problems.map(({ name, remedy }) => `${name}: ${remedy}`))
  const lines = [...steps].map((step, index) => `${index + 1}. ${step}`)
  return lines.length > 0 ? ['What to do:', ...lines] : []
}

function summaryOf(results: readonly Result[]): string {
  const count = (level: Result['level'], one: string, many: string) => {
    const { length } = results.filter((result) => result.level === level)
    return `${length} ${length === 1 ? one : many}`
  }
  return [
    count('problem', 'problem', 'problems'),
    count('warning', 'warning', 'warnings'),
    `${count('ok', 'check', 'checks')} passed`,
    count('skipped', 'skipped', 'skipped'),
  ].join(', ')
}

export const hasProblem = (results: readonly Result[]) => results.some(({ level }) => level === 'problem')
