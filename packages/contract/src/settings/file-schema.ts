import { FILE_ENDING, type Setting, type SettingTable } from './setting.ts'

interface ObjectSchema {
  type: 'object'
  additionalProperties: false
  properties: Record<string, object>
}

/** The JSON schema of `plantroom.yaml`, for editors that check and complete it. */
export function fileSchema(tables: readonly SettingTable[]): object {
  const root: ObjectSchema = emptyObject()
  for (const [name, setting] of tables.flatMap((table) => Object.entries<Setting>(table))) {
    if (setting.place === undefined) continue
    const path = setting.place.split('.')
    const key = path.pop() ?? ''
    const room = path.reduce(enter, root)
    room.properties[key] = valueSchema(name, setting)
    if (setting.secret) room.properties[`${key}${FILE_ENDING.toLowerCase()}`] = secretFile(name, key)
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'plantroom.yaml',
    description: 'Settings of the cloud, the worker and the controller of Plantroom',
    ...root,
  }
}

const emptyObject = (): ObjectSchema => ({ type: 'object', additionalProperties: false, properties: {} })

function enter(room: ObjectSchema, key: string): ObjectSchema {
  room.properties[key] ??= emptyObject()
  return room.properties[key] as ObjectSchema
}

function valueSchema(name: string, setting: Setting): object {
  const { kind, min, max, choices, meaning, more, default: usual } = setting
  const plain = `${meaning}.${more ? ` ${more}` : ''} (${name})`.replace(/\[([^[\]]+)\]\([^()]+\)/g, '$1')
  const value = {
    integer: { type: 'integer', minimum: min, maximum: max },
    switch: { type: 'boolean' },
    choice: { enum: choices },
    list: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    text: { type: 'string' },
    url: { type: 'string' },
    path: { type: 'string' },
  }[kind]
  const preset = usual === undefined ? {} : { default: kind === 'integer' ? Number(usual) : usual }
  return { description: plain, ...value, ...preset }
}

const secretFile = (name: string, key: string) => ({
  description: `Path of a file that contains ${key}, instead of ${key} itself. (${name}${FILE_ENDING})`,
  type: 'string',
})
