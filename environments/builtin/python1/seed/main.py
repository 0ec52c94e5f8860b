#!/usr/bin/env python3
"""Deck plan for M/F Gullesfjord, Refsnes - Flesnes.

Reads the booking list of one departure (the CSV that the quay terminal
exports), puts the vehicles into lanes, checks weights, sockets and dangerous
goods, and prints the loading sheet for the deck crew.
"""
import argparse
import csv
import json
import sys
from collections import Counter, defaultdict
from typing import NamedTuple, Optional

# Lanes from port to starboard: usable metres, clear height in metres, and the
# distance of the lane's middle from the centre line (port is negative).
LANES = {
    "P2": (31.5, 2.35, -6.1),  # under the hanging deck
    "P1": (44.0, 4.60, -3.0),
    "C": (47.2, 4.60, 0.0),
    "S1": (44.0, 4.60, 3.0),
    "S2": (31.5, 2.35, 6.1),
}
FILL_ORDER = ["C", "P1", "S1", "P2", "S2"]

GAP = 0.45          # metres between bumpers, bow visor side included
AXLE_LIMIT = 11.5   # tonnes, the ramp's
DEADWEIGHT = 186.0  # tonnes on the car deck
REEFER_SOCKETS = 3  # 400 V; the fourth has been dead since the yard stay

# Fare classes by length in metres, driver included, NOK from 1 January.
FARES = [
    (6.0, 'AP1', 113),
    (7.0, 'AP2', 181),
    (8.0, 'AP3', 247),
    (12.0, 'AP5', 506),
    (17.5, 'AP7', 874),
    (22.0, 'AP9', 1190),
]
LIFELINE = {"ambulance", "fuel", "milk", "feed"}

# ADR classes that may not stand in the same lane.
APART = {("1", "2"), ("1", "3"), ("2", "3"), ("3", "5.1"), ("1", "5.1")}


class BookingError(ValueError):
    """A line of the booking list that nobody could load by."""


class Vehicle(NamedTuple):
    plate: str
    kind: str
    length: float
    height: float
    weight: float
    axles: int
    adr: Optional[str]
    reefer: bool
    booked: int  # minutes after midnight


class Stowed(NamedTuple):
    vehicle: Vehicle
    lane: str
    front: float  # metres from the bow visor


# --- reading ---------------------------------------------------------------

def parse_metres(text):
    """7,20 and 7.2 m are what drivers write; 0 is what the terminal writes."""
    number = text.strip().lower().rstrip("m").strip().replace(",", ".")
    metres = float(number)
    if not 0 < metres <= 22.0:
        raise BookingError(f"{text.strip()!r} is no length that we carry")
    return metres


def parse_tonnes(text):
    value = text.strip().lower().replace(",", ".")
    if value.endswith("kg"):
        return float(value[:-2]) / 1000
    return float(value.rstrip("t").strip())


def parse_clock(text):
    hours, minutes = text.strip().split(":")
    return int(hours) * 60 + int(minutes)


def read_row(row):
    adr = row["adr"].strip() or None
    return Vehicle(
        plate=" ".join(row["plate"].upper().split()),
        kind=row["kind"].strip().lower(),
        length=parse_metres(row["length"]),
        height=parse_metres(row["height"] or "1.9"),
        weight=parse_tonnes(row["weight"]),
        axles=int(row["axles"] or 2),
        adr=adr,
        reefer=row["reefer"].strip().lower() in ("x", "ja", "yes"),
        booked=parse_clock(row["booked"]),
    )


def read_bookings(path):
    """Return the vehicles and, for each line that is no booking, why."""
    vehicles, rejected = [], []
    with open(path, newline="", encoding="utf-8") as f:
        # The terminal puts its own remarks in front, with a semicolon.
        lines = [line for line in f if not line.startswith(";")]
    for number, row in enumerate(csv.DictReader(lines), start=1):
        try:
            vehicles.append(read_row(row))
        except (BookingError, ValueError, KeyError) as e:
            rejected.append("booking %d: %s" % (number, e))
    return vehicles, rejected


# --- rules -----------------------------------------------------------------

def priority(vehicle):
    """Lifeline first, then those with dangerous goods, then by booking."""
    if vehicle.kind == "ambulance":
        return (0, vehicle.booked)
    if vehicle.kind in LIFELINE:
        return (1, vehicle.booked)
    return (2 if vehicle.adr else 3, vehicle.booked)


def axle_load(vehicle):
    # Front axles carry a little less, so the heaviest has 15 % above the mean.
    return vehicle.weight / vehicle.axles * 1.15


def refusal(vehicle):
    if axle_load(vehicle) > AXLE_LIMIT:
        return f"axle load {axle_load(vehicle):.1f} t"
    if vehicle.adr == "7" or vehicle.adr == "6.2":
        return f"ADR class {vehicle.adr} by appointment only"
    if vehicle.height > 4.5:
        return "too high for the visor"
    return None


def must_stand_apart(a, b):
    if a.adr is None or b.adr is None:
        return False
    return (a.adr, b.adr) in APART or (b.adr, a.adr) in APART


def lane_end(stowed, lane):
    """Where the next vehicle of a lane can begin."""
    ends = [s.front + s.vehicle.length + GAP for s in stowed if s.lane == lane]
    return max(ends, default=GAP)


def fits(vehicle, lane, stowed):
    metres, clear, _ = LANES[lane]
    if vehicle.height + 0.1 > clear:
        return False
    if lane_end(stowed, lane) + vehicle.length > metres:
        return False
    return not any(s.lane == lane and must_stand_apart(vehicle, s.vehicle) for s in stowed)


def lane_order(vehicle):
    """Low cars go under the hanging deck first, to keep the middle free."""
    if vehicle.height < 2.0 and vehicle.length < 5.5:
        return list(reversed(FILL_ORDER))
    return FILL_ORDER


# --- loading ---------------------------------------------------------------

def load(vehicles):
    stowed, left = [], []
    weight, sockets = 0.0, 0
    for vehicle in sorted(vehicles, key=priority):
        reason = refusal(vehicle)
        if reason is None and weight + vehicle.weight > DEADWEIGHT:
            reason = "deadweight"
        if reason is None and vehicle.reefer and sockets == REEFER_SOCKETS:
            reason = "no socket"
        lane = None
        if reason is None:
            lane = next((n for n in lane_order(vehicle) if fits(vehicle, n, stowed)), None)
        if lane is None:
            left.append((vehicle, reason or "no room"))
            continue
        stowed.append(Stowed(vehicle, lane, lane_end(stowed, lane)))
        weight += vehicle.weight
        sockets += vehicle.reefer
    return stowed, left


def heel_moment(stowed):
    """Tonne-metres to starboard; the mate trims by hand above 60."""
    return sum(s.vehicle.weight * LANES[s.lane][2] for s in stowed)


def heel_advice(moment, wind):
    limit = 60 if wind < 14 else 35
    if abs(moment) <= limit:
        return "upright"
    side = "port" if moment < 0 else "starboard"
    return f"{side} by {abs(moment):.0f} tm, shift or ballast"


def fare(vehicle):
    for longest, name, price in FARES:
        if vehicle.length <= longest:
            break
    if vehicle.kind == "ambulance":
        price = 0
    return name, price


def takings(stowed):
    total, classes = 0, Counter()
    for s in stowed:
        name, price = fare(s.vehicle)
        classes[name] += 1
        total += price
    return total, dict(sorted(classes.items()))


def loading_minutes(stowed):
    # 20 s a car, 50 s for anything above 8 m, and two minutes for the visor.
    seconds = sum(50 if s.vehicle.length > 8 else 20 for s in stowed)
    return 2 + -(-seconds // 60)


# --- the sheet -------------------------------------------------------------

def clock(minutes):
    return "%02d:%02d" % divmod(minutes, 60)


def print_lane(lane, members):
    metres, clear, _ = LANES[lane]
    used = max((s.front + s.vehicle.length for s in members), default=0.0)
    print(f"{lane:<3} {used:5.1f} of {metres:.1f} m, clear {clear:.2f} m")
    for s in sorted(members, key=lambda s: s.front):
        marks = "".join([
            " ADR " + s.vehicle.adr if s.vehicle.adr else "",
            " REEFER" if s.vehicle.reefer else "",
        ])
        print("    %5.1f  %-9s %-10s %4.1f m %5.1f t%s" % (
            s.front, s.vehicle.plate, s.vehicle.kind, s.vehicle.length, s.vehicle.weight, marks))


def print_sheet(stowed, departure):
    by_lane = defaultdict(list)
    for s in stowed:
        by_lane[s.lane].append(s)
    start = departure - loading_minutes(stowed)
    print("LOADING SHEET  M/F Gullesfjord")
    print("departure " + clock(departure) + ", begin loading at " + clock(start))
    for lane in LANES:
        print_lane(lane, by_lane[lane])


def print_left(left, rejected):
    if not left and not rejected:
        print("Nobody stays on the quay.")
        return
    print("STAYS ON THE QUAY")
    for vehicle, reason in left:
        print("  " + vehicle.plate.ljust(10), reason, sep=" ")
    for line in rejected:
        print("  ?", line)


def summary(stowed, left, wind):
    total, classes = takings(stowed)
    moment = heel_moment(stowed)
    return {
        "vehicles": len(stowed),
        "left": [vehicle.plate for vehicle, _ in left],
        "tonnes": round(sum(s.vehicle.weight for s in stowed), 2),
        "heel": round(moment, 1),
        "advice": heel_advice(moment, wind),
        "takings": total,
        "classes": classes,
    }


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description="Deck plan of one departure.")
    parser.add_argument("bookings", help="CSV file from the quay terminal")
    parser.add_argument("--departure", default="07:15", metavar="HH:MM")
    parser.add_argument("--wind", type=float, default=6.0, help="m/s at Stangnes lighthouse")
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    return parser.parse_args(argv)


def main(argv=None):
    args = parse_arguments(argv)
    vehicles, rejected = read_bookings(args.bookings)
    stowed, left = load(vehicles)
    print_sheet(stowed, parse_clock(args.departure))
    print_left(left, rejected)
    figures = summary(stowed, left, args.wind)
    print("heel: " + figures["advice"])
    print("takings: NOK", figures["takings"])
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(figures, f, indent=1, sort_keys=True)
    return 2 if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
