import { describe, expect, test } from 'vitest'
import { FileMistake, readCommissioningFile } from './read-file.ts'

const read = (text: string) => readCommissioningFile(new Blob([text]))

describe('a commissioning file', () => {
  test('is JSON or YAML', async () => {
    const file = { technicalSystem: 'A', connections: [{ name: 'C', datapoints: [{ name: 'D' }] }] }
    expect(await read(JSON.stringify(file))).toEqual(file)
    expect(await read('technicalSystem: A\nconnections:\n  - name: C\n    datapoints: [{ name: D }]\n')).toEqual(file)
  })

  test.each([
    ['', 'must be an object'],
    ['[1]', 'must be an object'],
    ['{"connections":[]}', 'does not name its technicalSystem'],
    ['technicalSystem: A', 'no list of connections'],
    ['{"technicalSystem":"A","connections":[{"name":"C"}]}', 'connections[0] needs a name'],
    ['{"technicalSystem":"A","connections":[{"name":"C","datapoints":[7]}]}', 'connections[0] needs a name'],
    ['{"technicalSystem":"A","connections":[],"peakShaving":{"meter":"M"}}', 'peakShaving needs'],
    ['{"technicalSystem":"A","connections":[],"schedules":[{"name":"S"}]}', 'schedules needs'],
    ['a: [1', 'neither JSON nor YAML'],
    ['a: &a [x]\nb: [*a,*b]', 'neither JSON nor YAML'],
  ])('%j is told what is wrong', async (text, message) => {
    const mistake = await read(text).catch((error: unknown) => error)
    expect(mistake).toBeInstanceOf(FileMistake)
    expect((mistake as Error).message).toContain(message)
  })

  test('that is too large is not read at all', async () => {
    await expect(readCommissioningFile(new Blob(['x'.repeat(3 * 1024 * 1024 + 1)]))).rejects.toThrow('3 MB')
  })

  test('that is made of aliases is refused', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (let depth = 0; depth < 8; depth += 1) {
      const [here, before] = [`b${depth}`, depth === 0 ? 'a' : `b${depth - 1}`]
      bomb.push(`${here}: &${here} [${Array(10).fill(`*${before}`).join(',')}]`)
    }
    await expect(read(bomb.join('\n'))).rejects.toBeInstanceOf(FileMistake)
  })
})
