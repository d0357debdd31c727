import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readCommissioningFile } from './commissioning-file.ts'

function file(text: string): string {
  const path = join(temporaryFolder(), 'roof.yaml')
  writeFileSync(path, text)
  return path
}

describe('a commissioning file', () => {
  test.each([
    ['JSON', '{ "technicalSystem": "Roof", "connections": [] }'],
    ['YAML', 'technicalSystem: Roof # of the main building\nconnections: []\n'],
  ])('may be %s', async (_form, text) => {
    expect(await readCommissioningFile(file(text))).toEqual({ technicalSystem: 'Roof', connections: [] })
  })

  test('must be an object, and the error says what it must contain', async () => {
    const path = file('- technicalSystem: Roof')
    await expect(readCommissioningFile(path)).rejects.toThrow(
      `${path} is not a commissioning file: it must be an object with technicalSystem and connections`,
    )
  })
})
