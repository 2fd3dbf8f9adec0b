import { describe, expect, it } from 'vitest'
import type { Day } from '../../src/people/day.ts'
import { at, connection, DATE, made } from '../support/made-day.ts'
import { startTestWorld } from '../support/petri.ts'

describe('meals', () => {
  const soup = { name: 'Soup', carbs: 40, protein: 20, fat: 10, fibre: 10, sugar: 5 }
  const bread = { name: 'Bread', carbs: 10, protein: 0, fat: 0, fibre: 0, sugar: 0 }
  const day = (): Partial<Day> => ({
    meals: () => [
      { index: 0, date: DATE, name: 'Lunch', at: at(12), foods: [soup, bread] },
      { index: 1, date: DATE, name: 'Dinner', at: at(19), foods: [soup] },
    ],
  })

  it('have the nutrients of their foods', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit')
    const [lunch, dinner] = made(petri, 'meal', own, { day })
    expect(lunch).toEqual({
      id: expect.any(String),
      user_id: own.user_id,
      priority_id: 1,
      source_id: 2,
      provider_id: lunch.id,
      timestamp: `${DATE}T12:00:00+00:00`,
      calendar_date: DATE,
      name: 'Lunch',
      energy: { unit: 'kcal', value: 370 },
      macros: {
        carbs: 50,
        protein: 20,
        fibre: 10,
        sugar: 5,
        fats: {
          saturated: 3.2,
          monounsaturated: 4.1,
          polyunsaturated: 2.1,
          omega3: 0.3,
          omega6: 1.6,
          total: 10,
        },
        alcohol: 0,
        water: 130,
        cholesterol: 0.08,
      },
      micros: {
        minerals: { sodium: 333, potassium: 518, calcium: 167, magnesium: 63, iron: 2.2, zinc: 1.8 },
        trace_elements: { selenium: 14, iodine: 22.2 },
        vitamins: { vitamin_c: 30, folic_acid: 140 },
      },
      data: { Soup: expect.anything(), Bread: expect.anything() },
      source: expect.objectContaining({ provider: 'fitbit', type: 'app' }),
      created_at: '2026-01-05T09:00:00+00:00',
      updated_at: '2026-01-05T09:00:00+00:00',
      source_app_id: null,
      source_device_id: null,
    })
    expect(lunch.data.Bread).toMatchObject({
      energy: { value: 40 },
      macros: { carbs: 10, fats: { total: 0 } },
    })
    expect(dinner).toMatchObject({ name: 'Dinner', energy: { value: 330 } })
    expect(dinner.id).not.toBe(lunch.id)
  })

  it('are known once they are eaten', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit')
    const names = (asOf: number) => made(petri, 'meal', own, { day, asOf }).map(({ name }) => name)
    expect(names(at(12) - 1)).toEqual([])
    expect(names(at(12))).toEqual(['Lunch'])
    expect(names(at(19))).toEqual(['Lunch', 'Dinner'])
  })
})
