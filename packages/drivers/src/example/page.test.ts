import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/how-to/write-a-driver.md'), 'utf8')

test.each(['config.ts', 'link.ts', 'driver.ts'])('docs/how-to/write-a-driver.md shows %s as it is', (file) => {
  const shown = [...page.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === file ? [code] : [],
  )
  expect(shown.join('\n')).toBe(readFileSync(join(import.meta.dirname, file), 'utf8'))
})
