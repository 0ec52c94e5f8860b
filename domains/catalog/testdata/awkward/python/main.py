#!/usr/bin/env python3
'''Tide tables for a harbour without a gauge.'''
from __future__ import annotations
import math, sys
DAY = 24 * 60 ; LUNAR = 1490.5
STATIONS = {'Vik': (0.62, 95), 'Sund': (1.1, 130),
            'Holm': (0.85, 20)}
class Station:
	'''One harbour; heights are in metres.'''
	def __init__(self, name, *, amplitude=1.0, lag=0):
		self.name, self.amplitude, self.lag = name, amplitude, lag
	def height(self, minute):
		return self.amplitude * math.cos(2*math.pi*(minute - self.lag)/(LUNAR/2))
	@property
	def range(self):
		return 2 * self.amplitude
# Highest water of a day, by looking at every minute.
def high_water(station : Station) -> tuple[int, float]:
	best = max(range(DAY), key=station.height)
	return best, station.height(best)
def low_water(station):
	best = min(range(DAY), key=station.height)
	return best, station.height(best)

def clock(minute) : return f'{minute // 60:02}:{minute % 60:02}'
async def publish(line):
	print(line)



def table(names=None):
	rows = []
	for name in names or sorted(STATIONS):
		amplitude, lag = STATIONS[name]
		station = Station(name, amplitude=amplitude, lag=lag)
		high, top = high_water(station)
		low, bottom = low_water(station)
		# two columns each
		rows.append(f'{name:<6}{clock(high)} {top:+.2f}  {clock(low)} {bottom:+.2f}')
	return '\n'.join(rows)
@staticmethod
def usage(): sys.exit('usage: main.py [STATION...]')
if __name__=='__main__':
	if '-h' in sys.argv: usage()
	print(table(sys.argv[1:]))
