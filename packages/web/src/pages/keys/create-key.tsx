import { Checkbox, Modal, MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import type { NewKey } from '@plantroom/client/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { administration } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { FormEnd } from '../../parts/form-end.tsx'
import { common } from '../../texts/common.ts'
import { keys } from '../../texts/keys.ts'
import { PERMISSIONS, permissionWords } from './key-words.ts'

const texts = keys.create

/** What a new key is called, may do, and where. */
export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (key: NewKey) => void }) {
  const { orgId, organization } = useSite()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState<string[]>([])
  const [where, setWhere] = useState('all')
  const [siteIds, setSiteIds] = useState<string[]>([])
  const [isTried, setIsTried] = useState(false)
  const create = useMutation({
    mutationFn: () =>
      administration.createKey(orgId, { name: name.trim(), permissions, siteIds: where === 'all' ? null : siteIds }),
    onSuccess(key) {
      void client.invalidateQueries({ queryKey: ['keys', orgId] })
      onCreated(key)
    },
  })
  const mistakes = {
    name: name.trim() === '' && texts.noName,
    permissions: permissions.length === 0 && texts.noPermission,
    sites: where === 'some' && siteIds.length === 0 && texts.noSite,
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (!Object.values(mistakes).some(Boolean)) create.mutate()
  }

  return (
    <Modal opened onClose={onClose} title={texts.title} closeButtonProps={{ 'aria-label': common.close }}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={255}
            data-autofocus
            error={isTried && mistakes.name}
          />
          <Checkbox.Group
            label={texts.permissions}
            value={permissions}
            onChange={setPermissions}
            required
            error={isTried && mistakes.permissions}
          >
            <Stack gap="xs" my={6}>
              {PERMISSIONS.map((permission) => (
                <Checkbox
                  key={permission}
                  value={permission}
                  label={permissionWords(permission)}
                  description={keys.hints[permission]}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Radio.Group label={texts.sites} value={where} onChange={setWhere}>
            <Stack gap="xs" my={6}>
              <Radio value="all" label={texts.all} />
              <Radio value="some" label={texts.some} />
            </Stack>
          </Radio.Group>
          {where === 'some' && (
            <MultiSelect
              label={texts.which}
              data={organization.sites.map(({ id, name: label }) => ({ value: id, label }))}
              value={siteIds}
              onChange={setSiteIds}
              searchable
              required
              error={isTried && mistakes.sites}
            />
          )}
          <FormEnd mutation={create} action={texts.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
