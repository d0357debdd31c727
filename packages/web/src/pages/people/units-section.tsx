import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { Empty, ErrorNotice, QueryView } from '../../parts/notices.tsx'
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
    <Stack component="section">
      <Title order={2} size="h3">
        {query.data ? format(texts.units.titleWithCount, { count: query.data.length }) : texts.units.title}
      </Title>
      {may('manager') && <AddUnit />}
      <QueryView query={query}>
        {(units) =>
          units.length === 0 ? (
            <Empty title={texts.units.none}>{texts.units.noneHint}</Empty>
          ) : (
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
                                <Button
                                  size="xs"
                                  variant="default"
                                  aria-label={format(texts.units.removeLabel, { name: unit.name })}
                                  onClick={() => setRemoving(unit)}
                                >
                                  {texts.units.remove}
                                </Button>
                              </Group>
                            ),
                          },
                        ]
                      : []),
                  ]}
                />
              )}
            </Shortened>
          )
        }
      </QueryView>
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
    </Stack>
  )
}

function AddUnit() {
  const [name, setName] = useState('')
  const [isBlank, setIsBlank] = useState(false)
  const add = useChange('addUnit', {
    onSuccess: refreshRequests,
    onFresh(unit) {
      setName('')
      notifications.show({ message: format(texts.units.added, { name: unit.name }) })
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsBlank(name.trim() === '')
    if (name.trim() !== '') add.mutate({ body: { name: name.trim() } })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Group align="flex-end">
          <TextInput
            label={texts.units.new}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={255}
            error={isBlank && texts.units.blank}
            style={{ flex: '1 1 200px' }}
            maw={360}
          />
          <Button type="submit" loading={add.isPending}>
            {texts.units.add}
          </Button>
        </Group>
        {add.error && <ErrorNotice error={add.error} />}
      </Stack>
    </form>
  )
}
