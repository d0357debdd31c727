import { stripVTControlCharacters } from 'node:util'

/** The part of vitest's JSON report that names failures. */
export interface FailedTests {
  testResults: readonly {
    name: string
    status: string
    message?: string
    assertionResults: readonly { status: string; fullName: string; failureMessages?: readonly string[] | null }[]
  }[]
}

/** The part of Playwright's JSON report that names failures: files, their blocks, and the tests in them. */
export interface FailedBrowserTests {
  suites: readonly Suite[]
  errors: readonly { message?: string }[]
}

interface Suite {
  suites?: readonly Suite[]
  specs: readonly {
    file: string
    line: number
    title: string
    ok: boolean
    tests: readonly { results: readonly { errors: readonly { message?: string }[] }[] }[]
  }[]
}

const LINES_OF_A_MESSAGE = 12

/** Describes the failed tests of vitest, and files that did not load or whose hooks failed. */
export function failuresOf(report: FailedTests): string[] {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && file.status === 'failed') return [describe(file.name, file.message)]
    return failed.map((test) => describe(`${file.name} > ${test.fullName}`, test.failureMessages?.join('\n')))
  })
}

/** Describes the failed tests of Playwright, and errors outside of them. */
export function browserFailuresOf(report: FailedBrowserTests): string[] {
  return [
    ...report.suites.flatMap(failuresOfSuite),
    ...report.errors.map(({ message }) => describe('the browser tests', message)),
  ]
}

function failuresOfSuite({ suites = [], specs }: Suite): string[] {
  const failed = specs.filter(({ ok }) => !ok)
  return [
    ...failed.map(({ file, line, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
      return describe(`${file}:${line} > ${title}`, errors.map(({ message }) => message).join('\n'))
    }),
    ...suites.flatMap(failuresOfSuite),
  ]
}

function describe(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message).split('\n')
  const text = lines.filter((line) => line.trim() !== '').slice(0, LINES_OF_A_MESSAGE)
  return [`FAILED ${name}`, ...text.map((line) => `  ${line}`)].join('\n')
}
