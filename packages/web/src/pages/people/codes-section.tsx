import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { RequestCode } from '@plantroom/contract/api'
import { useState } from 'react'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { Section } from '../../parts/section.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { useForm } from '../../parts/use-form.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { people } from '../../texts/people.ts'
import { PrintCode } from './print-code.tsx'
import { useUnits } from './use-people.ts'

const texts = people.codes

/** Codes to print, which lead to a form for people without an account. */
export function CodesSection() {
  const query = useOperation('listRequestCodes', {}, { select: ({ codes }) => codes })
  const [isAdding, setIsAdding] = useState(false)
  const [shown, setShown] = useState<RequestCode>()
  const [removing, setRemoving] = useState<RequestCode>()
  const remove = useChange('removeRequestCode', {
    onFresh() {
      setRemoving(undefined)
      notifications.show({ message: format(texts.removed, { name: removing?.label ?? '' }) })
    },
  })
  return (
    <Section title={texts.title}>
      <Text c="dimmed" maw={640}>
        {texts.intro}
      </Text>
      <Group>
        <Button variant="default" onClick={() => setIsAdding(true)}>
          {texts.add}
        </Button>
      </Group>
      <ListView query={query} empty={<Empty title={texts.none}>{texts.noneHint}</Empty>}>
        {(codes) => (
          <CardTable
            label={texts.table}
            rows={codes}
            keyOf={({ id }) => id}
            columns={[
              { head: texts.on, cell: ({ label }) => label },
              { head: texts.unit, cell: ({ unit }) => unit ?? common.none },
              {
                head: people.people.actions,
                plain: true,
                cell: (code) => (
                  <Group gap="xs">
                    <SmallButton
                      aria-label={format(texts.showLabel, { name: code.label })}
                      onClick={() => setShown(code)}
                    >
                      {texts.show}
                    </SmallButton>
                    <SmallButton
                      aria-label={format(people.units.removeLabel, { name: code.label })}
                      onClick={() => setRemoving(code)}
                    >
                      {people.units.remove}
                    </SmallButton>
                  </Group>
                ),
              },
            ]}
          />
        )}
      </ListView>
      {isAdding && (
        <AddCode
          onClose={() => setIsAdding(false)}
          onAdded={(code) => {
            setIsAdding(false)
            setShown(code)
          }}
        />
      )}
      {shown && <PrintCode code={shown} onClose={() => setShown(undefined)} />}
      <Confirm
        opened={removing !== undefined}
        onClose={() => {
          setRemoving(undefined)
          remove.reset()
        }}
        title={format(texts.removeTitle, { name: removing?.label ?? '' })}
        action={texts.removeAction}
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ codeId: removing.id })}
      >
        <Text>{texts.stays}</Text>
      </Confirm>
    </Section>
  )
}

function AddCode({ onClose, onAdded }: { onClose: () => void; onAdded: (code: RequestCode) => void }) {
  const units = useUnits()
  const add = useChange('addRequestCode', { onFresh: onAdded })
  const form = useForm(add, { label: '', unit: '' }, ({ label }) => ({ label: label === '' && texts.blank }))
  const names = (units.data ?? []).map(({ name }) => ({ value: name, label: name }))
  return (
    <DialogForm
      title={texts.addTitle}
      form={form}
      action={texts.add}
      onClose={onClose}
      onSubmit={({ label, unit }) => add.mutate({ body: { label, unit: unit || null } })}
    >
      <TextInput label={texts.label} description={texts.labelHint} {...form.text('label')} data-autofocus required />
      <NativeSelect
        label={texts.unit}
        data={[{ value: '', label: texts.noUnit }, ...names]}
        value={form.values.unit}
        onChange={({ currentTarget }) => form.set({ unit: currentTarget.value })}
      />
    </DialogForm>
  )
}
