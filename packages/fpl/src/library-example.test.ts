import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, test } from 'vitest'

const PAGE = join(import.meta.dirname, '../../../docs/reference/fpl-library.md')

test('the example of the library works and has about 20 lines', () => {
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? []
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(22)
  const code = example.replaceAll("'site.fpl'", JSON.stringify(join(temporaryFolder(), 'site.fpl')))
  // From this folder, so that Node finds the package.
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: import.meta.dirname })
  expect(String(output)).toBe('2 requests\n')
})
