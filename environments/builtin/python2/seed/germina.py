# -*- coding: utf-8 -*-
# germina.py -- ensayos de germinación del banco de semillas
#
# Lee el cuaderno de conteos (un CSV por lote de cámara), calcula por placa
# porcentaje, T50 y vigor, compara con el tratamiento testigo y escribe el
# parte que se pega en la puerta de la cámara.
#   uso:  python germina.py conteos.csv [--corte 14] [--parte]
from __future__ import print_function

import argparse
import csv
import json
import math
import sys
from dataclasses import dataclass, field

ESPECIES = {
  'CIST': ('Cistus ladanifer', 0.60),
  'HALI': ('Halimium atriplicifolium', 0.45),
  'LAVA': ('Lavandula stoechas', 0.55),
  'QUER': ('Quercus suber', 0.80),
  'RETA': ('Retama sphaerocarpa', 0.50),
}
TESTIGO = 'agua'
# tratamientos que se dan antes de sembrar; el calor va en grados
TRATAMIENTOS = {'agua', 'calor80', 'calor100', 'humo', 'lija', 'ga3'}
MINIMO_SEMILLAS = 20
MAX_HONGOS = 0.15  # con más, la placa no cuenta (acta del 3 de mayo)


@dataclass
class Placa:
  codigo: str
  especie: str
  tratamiento: str
  semillas: int
  hongos: int = 0
  vacias: int = 0
  conteos: list = field(default_factory=list)


@dataclass
class Aviso:
  linea: int
  motivo: str


class CuadernoRoto(Exception):
  """El cuaderno no tiene las columnas que hacen falta."""


# ---- lectura

def limpia(celda):
  return (celda or '').strip().lower()


def entero(celda, nombre):
  celda = limpia(celda)
  if celda in ('', '-', 'nd'):
    return 0
  if not celda.isdigit():
    raise ValueError("%s no es un número: %s" % (nombre, celda))
  return int(celda)


def lee_placa(fila):
  especie = limpia(fila['especie'])[:4].upper()
  if especie not in ESPECIES:
    raise ValueError('especie desconocida: ' + especie)
  tratamiento = limpia(fila['tratamiento']).replace(' ', '')
  if tratamiento not in TRATAMIENTOS:
    raise ValueError('tratamiento desconocido: ' + tratamiento)
  return Placa(
    codigo=fila['placa'].strip(),
    especie=especie,
    tratamiento=tratamiento,
    semillas=entero(fila['semillas'], 'semillas'),
    hongos=entero(fila.get('hongos'), 'hongos'),
    vacias=entero(fila.get('vacias'), 'vacias'),
  )


def lee_conteos(fila):
  # las columnas de los días se llaman d3, d7, d10 ...
  pares = []
  for columna, celda in fila.items():
    if columna and columna[0] == 'd' and columna[1:].isdigit():
      pares.append((int(columna[1:]), entero(celda, columna)))
  return sorted(pares)


def lee_cuaderno(ruta):
  placas, avisos = [], []
  with open(ruta, encoding='utf-8', newline='') as f:
    lector = csv.DictReader(f, delimiter=';')
    faltan = {'placa', 'especie', 'tratamiento', 'semillas'} - set(lector.fieldnames or ())
    if faltan:
      raise CuadernoRoto('faltan columnas: ' + ', '.join(sorted(faltan)))
    for linea, fila in enumerate(lector, 2):
      if not any(fila.values()) or fila['placa'].startswith('#'):
        continue
      try:
        placa = lee_placa(fila)
        placa.conteos = lee_conteos(fila)
      except ValueError as e:
        avisos.append(Aviso(linea, str(e)))
        continue
      if germinadas(placa) > viables(placa):
        avisos.append(Aviso(linea, 'germinan %d de %d viables' % (germinadas(placa), viables(placa))))
        continue
      placas.append(placa)
  return placas, avisos


# ---- cálculo

def viables(placa):
  # las vacías se ven al cortar, cuando acaba el ensayo
  return placa.semillas - placa.vacias


def germinadas(placa, hasta=None):
  return sum(n for dia, n in placa.conteos if hasta is None or dia <= hasta)


def valida(placa):
  if placa.semillas < MINIMO_SEMILLAS:
    return 'pocas semillas'
  if placa.hongos > MAX_HONGOS * placa.semillas:
    return 'hongos'
  if not viables(placa):
    return 'todas vacías'
  return ''


def porcentaje(placa, hasta=None):
  return 100.0 * germinadas(placa, hasta) / viables(placa)


def t50(placa):
  """Días hasta la mitad de las que germinan (Coolbear, interpolado)."""
  total = germinadas(placa)
  if total == 0:
    return None
  mitad = total / 2.0
  antes_dia, antes = 0, 0
  for dia, n in placa.conteos:
    ahora = antes + n
    if ahora >= mitad:
      return antes_dia + (mitad - antes) * (dia - antes_dia) / float(n)
    antes_dia, antes = dia, ahora
  return None


def vigor(placa):
  # índice de Maguire: cada germinada vale 1/día
  return sum(n / float(dia) for dia, n in placa.conteos if dia)


def media(valores):
  valores = [v for v in valores if v is not None]
  return sum(valores) / len(valores) if valores else None


def desviacion(valores):
  m = media(valores)
  if m is None or len(valores) < 2:
    return 0.0
  return math.sqrt(sum((v - m) ** 2 for v in valores) / (len(valores) - 1))


def agrupa(placas):
  grupos = {}
  for p in placas:
    grupos.setdefault((p.especie, p.tratamiento), []).append(p)
  return grupos


def resume(placas, corte):
  """Una fila por especie y tratamiento, con lo que gana sobre el testigo."""
  filas = []
  grupos = agrupa(placas)
  for (especie, tratamiento), miembros in sorted(grupos.items()):
    finales = [porcentaje(p) for p in miembros]
    testigo = grupos.get((especie, TESTIGO))
    ventaja = None
    if testigo and tratamiento != TESTIGO:
      ventaja = media(finales) - media([porcentaje(p) for p in testigo])
    filas.append({
      'especie': especie,
      'tratamiento': tratamiento,
      'placas': len(miembros),
      'final': round(media(finales), 1),
      'sd': round(desviacion(finales), 1),
      'corte': round(media([porcentaje(p, corte) for p in miembros]), 1),
      't50': None if media([t50(p) for p in miembros]) is None else round(media([t50(p) for p in miembros]), 2),
      'vigor': round(media([vigor(p) for p in miembros]), 2),
      'ventaja': None if ventaja is None else round(ventaja, 1),
    })
  return filas


def dictamen(fila):
  umbral = 100 * ESPECIES[fila['especie']][1]
  if fila['final'] >= umbral:
    return 'APTO'
  # a menos de cinco puntos se repite antes de tirar el lote
  if umbral - fila['final'] < 5 or (fila['ventaja'] or 0) > 20:
    return 'REPETIR'
  return 'NO APTO'


# ---- salida

def numero(valor, forma='%.1f'):
  return '--' if valor is None else (forma % valor).replace('.', ',')


def texto(aviso):
  return "l. %d: %s" % (aviso.linea, aviso.motivo)


def escribe_tabla(filas):
  print('%-26s%-10s%3s%8s%7s%8s%7s%8s  %s' % (
    'especie', 'trat.', 'n', 'final', 'sd', 't50', 'vigor', 'vent.', 'dictamen'))
  anterior = None
  for f in filas:
    nombre = ESPECIES[f['especie']][0] if f['especie'] != anterior else ''
    anterior = f['especie']
    print('%-26s%-10s%3d%8s%7s%8s%7s%8s  %s' % (
      nombre, f['tratamiento'], f['placas'], numero(f['final']), numero(f['sd']),
      numero(f['t50'], '%.2f'), numero(f['vigor'], '%.2f'), numero(f['ventaja'], '%+.1f'), dictamen(f)))


def escribe_parte(filas, fuera):
  aptos = [f for f in filas if dictamen(f) == 'APTO']
  print()
  print('PARTE DE CÁMARA')
  for f in aptos:
    print(' * %s con %s: sembrar' % (ESPECIES[f['especie']][0], f['tratamiento']))
  if not aptos:
    print(' (nada que sembrar)')
  for placa, motivo in fuera:
    print(' x placa %s fuera: %s' % (placa.codigo, motivo))


def opciones(argv):
  p = argparse.ArgumentParser(description='Resumen de ensayos de germinación.')
  p.add_argument('cuaderno', help='CSV de conteos, separado por punto y coma')
  p.add_argument('--corte', type=int, default=14, help='día del primer porcentaje')
  p.add_argument('--parte', action='store_true', help='añade el parte de la puerta')
  p.add_argument('--salida', help='escribe también las filas en JSON')
  return p.parse_args(argv)


def principal(argv=None):
  o = opciones(argv)
  try:
    placas, avisos = lee_cuaderno(o.cuaderno)
  except CuadernoRoto as e:
    print('cuaderno ilegible: %s' % e)
    return 3
  buenas, fuera = [], []
  for p in placas:
    motivo = valida(p)
    if motivo:
      fuera.append((p, motivo))
    else:
      buenas.append(p)
  filas = resume(buenas, o.corte)
  escribe_tabla(filas)
  if o.parte:
    escribe_parte(filas, fuera)
  for a in avisos:
    print('aviso, ' + texto(a))
  if o.salida:
    with open(o.salida, 'w', encoding='utf-8') as f:
      json.dump({'filas': filas, 'fuera': len(fuera), 'avisos': len(avisos)}, f, sort_keys=True)
  return 1 if avisos else 0


if __name__ == '__main__':
  sys.exit(principal())
