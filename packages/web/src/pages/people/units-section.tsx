import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty, ErrorNotice } from '../../parts/notices.tsx'
import { Section } from '../../parts/section.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { people as texts } from '../../texts/people.ts'
import { matching, Shortened } from './search.tsx'
import { refreshRequests, type Unit, useUnits } from './use-people.ts'

/** The units of the site; managers add and remove them. */
export function UnitsSection({ search }: { search: string }) {
  const { may } = useSite()
  const query = useUnits()
  const [removing, setRemoving] = useState<Unit>()
  const remove = useChange('removeUnit', {
    onSuccess: refreshRequests,
    onFresh() {
      setRemoving(undefined)
      notifications.show({ message: format(texts.units.removed, { name: removing?.name ?? '' }) })
    },
  })

  return (
    <Section title={query.data ? format(texts.units.titleWithCount, { count: query.data.length }) : texts.units.title}>
      {may('manager') && <AddUnit />}
      <ListView query={query} empty={<Empty title={texts.units.none}>{texts.units.noneHint}</Empty>}>
        {(units) => (
          <Shortened items={matching(units, search, ({ name }) => [name])}>
            {(shown) => (
              <CardTable
                label={texts.units.label}
                rows={shown}
                keyOf={({ id }) => id}
                columns={[
                  { head: texts.units.name, cell: ({ name }) => name },
                  ...(may('manager')
                    ? [
                        {
                          head: texts.people.actions,
                          plain: true,
                          cell: (unit: Unit) => (
                            <Group justify="flex-end">
                              <SmallButton
                                aria-label={format(texts.units.removeLabel, { name: unit.name })}
                                onClick={() => setRemoving(unit)}
                              >
                                {texts.units.remove}
                              </SmallButton>
                            </Group>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
            )}
          </Shortened>
        )}
      </ListView>
      <Confirm
        opened={removing !== undefined}
        onClose={() => {
          setRemoving(undefined)
          remove.reset()
        }}
        title={format(texts.units.removeTitle, { name: removing?.name ?? '' })}
        action={texts.units.removeAction}
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ unitId: removing.id })}
      >
        <Text>{texts.units.stays}</Text>
      </Confirm>
    </Section>
  )
}

function AddUnit() {
  const add = useChange('addUnit', {
    onSuccess: refreshRequests,
    onFresh(unit) {
      form.reset()
      notifications.show({ message: format(texts.units.added, { name: unit.name }) })
    },
  })

  const form = useForm(add, { name: '' }, ({ name }) => ({ name: name === '' && texts.units.blank }))
  return (
    <form onSubmit={form.submit((body) => add.mutate({ body }))} noValidate>
      <Stack gap="xs">
        <Group align="flex-end">
          <TextInput label={texts.units.new} {...form.text('name')} style={{ flex: '1 1 200px' }} maw={360} />
          <Button type="submit" loading={add.isPending}>
            {texts.units.add}
          </Button>
        </Group>
        {form.error && <ErrorNotice error={form.error} />}
      </Stack>
    </form>
  )
}
