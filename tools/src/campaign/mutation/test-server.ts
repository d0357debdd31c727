import { join } from 'node:path'
import { createInterface } from 'node:readline'
// biome-ignore lint/correctness/noUndeclaredDependencies: the root installs vitest for all workspaces
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node'
import { RESULT, type TestRequest, type TestResult } from './test-runner.ts'

/**
 * Runs tests of a work copy for as long as its standard input stays open: one request a line, one result a line. Vite's
 * transformed modules and the database server stay between requests, but every request gets a new test process.
 */
const [folder = '', config = ''] = process.argv.slice(2)

class GivenOrder {
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

const vitest = await createVitest('test', {
  root: folder,
  config,
  watch: false,
  bail: 1,
  reporters: [{}],
  sequence: { sequencer: GivenOrder },
})
await vitest.standalone()
let lastChanged: readonly string[] = []

for await (const line of createInterface({ input: process.stdin })) {
  const result = await run(JSON.parse(line) as TestRequest)
  process.stdout.write(`${RESULT}${JSON.stringify(result)}\n`)
}
await vitest.close()
process.exit()

async function run({ changed, tests }: TestRequest): Promise<TestResult> {
  // The caller has restored the sources of the last request: without this, their mutants would stay in Vite's cache.
  for (const file of [...lastChanged, ...changed]) vitest.invalidateFile(join(folder, file))
  lastChanged = changed
  // The failures of the last run would end this one before its first test.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const project = vitest.getRootProject()
  const specifications = tests.map((test) => project.createSpecification(join(folder, test)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  return {
    failure: failureIn(testModules, unhandledErrors),
    durations: testModules.map((module) => [module.relativeModuleId, module.diagnostic().duration] as const),
  }
}

function failureIn(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): TestResult['failure'] {
  const module = modules.find((each) => each.state() === 'failed')
  if (!module) return unhandledErrors.length > 0 ? { message: String(unhandledErrors[0]) } : undefined
  const [test] = module.children.allTests('failed')
  const errors = test ? test.result().errors : module.errors()
  return { message: `${test?.fullName ?? 'the file'}: ${errors?.[0]?.message}`, file: module.relativeModuleId }
}
