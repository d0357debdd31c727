/** The objects of a VTN in memory. */

export type VtnObject = Readonly<Record<string, unknown>> & { readonly id: string }
export type ObjectType = 'PROGRAM' | 'EVENT' | 'REPORT' | 'VEN' | 'RESOURCE' | 'SUBSCRIPTION'
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

/** Called after each change. */
export type Changed = (type: ObjectType, operation: Operation, object: VtnObject) => void

/** A table of objects that keeps the order of their creation. */
export interface Table {
  readonly list: () => readonly VtnObject[]
  readonly get: (id: string) => VtnObject | undefined
  readonly add: (fields: Readonly<Record<string, unknown>>) => VtnObject
  /** Replaces the fields of an object, and says when. */
  readonly change: (id: string, fields: Readonly<Record<string, unknown>>) => VtnObject
  readonly remove: (id: string) => void
}

export function createTable(type: ObjectType, now: () => number, changed: Changed): Table {
  const rows = new Map<string, VtnObject>()
  let count = 0
  const time = () => new Date(now()).toISOString()
  return {
    list: () => [...rows.values()],
    get: (id) => rows.get(id),
    add(fields) {
      count += 1
      const id = typeof fields.id === 'string' ? fields.id : `${type.toLowerCase()}-${count}`
      const object = { createdDateTime: time(), modificationDateTime: time(), objectType: type, ...fields, id }
      rows.set(id, object)
      changed(type, 'CREATE', object)
      return object
    },
    change(id, fields) {
      const before = rows.get(id)
      if (!before) throw new Error(`there is no ${type} ${id}`)
      const object = { ...before, ...fields, id, modificationDateTime: time() }
      rows.set(id, object)
      changed(type, 'UPDATE', object)
      return object
    },
    remove(id) {
      const before = rows.get(id)
      rows.delete(id)
      if (before) changed(type, 'DELETE', before)
    },
  }
}
