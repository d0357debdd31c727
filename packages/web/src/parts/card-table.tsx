import { Paper, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './card-table.module.css'

interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** The cell needs no label on a card, for example a button. */
  plain?: boolean
  /** A time, kept on one line if there is room. */
  time?: boolean
  /** Names and addresses, given room for a whole one. */
  name?: boolean
}

/** A table that becomes a list of cards on a phone. The first column names the row. */
export function CardTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  framed = true,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** False inside a card. */
  framed?: boolean
}) {
  const table = (
    <Table className={classes.table} aria-label={label} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ head }) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      {/* Plain elements, which a browser draws three times as fast. */}
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, plain, time, name }, index) => {
              const content = cell(row)
              if (index === 0) {
                return (
                  <th key={head} scope="row" data-name={name}>
                    {content}
                  </th>
                )
              }
              const isEmpty = content === null || content === undefined || content === false || content === ''
              return (
                <td
                  key={head}
                  data-label={plain ? undefined : head}
                  data-empty={isEmpty || undefined}
                  data-time={time}
                  data-name={name}
                >
                  {content}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  )
  return framed ? (
    <Paper withBorder className={classes.frame}>
      {table}
    </Paper>
  ) : (
    table
  )
}

/** Reports whether there is room for a wide table; otherwise show cards. */
export function useIsWide(): boolean {
  return useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
}
