import type { SourceKind } from '../../source.ts'
import { readTable } from './read-table.ts'

export const csv: SourceKind = {
  name: 'csv',
  label: 'CSV',
  async open([path = '']) {
    return {
      async *records() {
        for await (const { line, cells } of readTable(path)) {
          const values = new Map([...cells].filter(([, value]) => value !== ''))
          yield { place: `row ${line}`, values, comments: [], files: [] }
        }
      },
      async [Symbol.asyncDispose]() {},
    }
  },
}
