import type { Fields, ObjectSchema, Schema, StaticFields } from '@plantroom/contract/schema'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { readTime } from './time.ts'

/** Reads filters from an address, by their schema. Invalid ones are left out, so that an old or mistyped link still works. */
export function readFilters<Own extends Fields>(
  { properties }: ObjectSchema<Own>,
  params: URLSearchParams,
): StaticFields<Own> {
  const read = Object.entries(properties).flatMap(([name, schema]) => {
    const value = parsed(schema, params.get(name)?.trim() ?? '')
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(read)
}

function parsed({ enum: values, format, maxLength }: Schema, text: string): unknown {
  if (values) return values.find((each) => String(each) === text)
  if (format === 'timestamp') return readTime(text)
  return text !== '' && text.length <= Number(maxLength) ? text : undefined
}

export function writeFilters(filters: object): URLSearchParams {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined)
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)]))
}

export const isFiltered = (filters: object): boolean => writeFilters(filters).size > 0

/** Reports whether the period is empty. */
export function isEmptyRange({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean {
  return from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)
}

/** The filters in the address of the page. */
export function useFilters<Own extends Fields>(schema: ObjectSchema<Own>) {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(schema, params), [schema, params])
  return {
    filters,
    /** Replaces them by what follows from those of now. */
    change: (next: (now: StaticFields<Own>) => object) =>
      setParams((now) => writeFilters(next(readFilters(schema, now))), { replace: true }),
    clear: () => setParams(new URLSearchParams()),
  }
}
