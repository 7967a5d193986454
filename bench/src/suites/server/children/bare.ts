/**
 * The opponent: the least that a service in Fastify does to answer from PostgreSQL. One route, one prepared statement, one row
 * by a unique index, one JSON object with a compiled serializer; no log, no limit, no checks, no headers of its own. A body is read
 * and parsed by Fastify, and nothing is done with it.
 */
import Fastify from 'fastify'
import pg from 'pg'
import { ROW_COUNT } from '../bare.js'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
await pool.query(
  'create table bare (id bigint primary key, key text not null unique, name text not null, at timestamptz)',
)
await pool.query(
  `insert into bare select n, 'key-' || n, 'Organization ' || n, now() from generate_series(1, $1::int) n`,
  [ROW_COUNT],
)
await pool.query('vacuum analyze bare')

const app = Fastify({ logger: false })
const text = { type: 'string' } as const
const response = { 200: { type: 'object', properties: { id: text, key: text, name: text, at: text } } }

app.route<{ Querystring: { key: string } }>({
  method: ['GET', 'POST'],
  url: '/bare',
  schema: { response },
  handler: async (request) => {
    const found = await pool.query({
      name: 'bare',
      text: 'select id, key, name, at from bare where key = $1',
      values: [request.query.key],
    })
    return found.rows[0]
  },
})

process.send!({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
process.on('disconnect', async () => {
  await app.close()
  await pool.end()
})
